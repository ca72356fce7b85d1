/** Where the film stands on the page: below the board, its code read when it is first opened. */
import { lazy, Suspense, useEffect } from "react";
import { useClusterSlug } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { Button } from "../../ui/button";
import { closeFilm, type FilmState, filmState, followFilm, openFilm } from "./film_store";

const FilmPanel = lazy(async () => ({ default: (await import("./film_panel")).FilmPanel }));

const isOpen = ({ open }: FilmState) => open;

export function FilmSlot() {
  const open = useSelected(filmState, isOpen);
  const slug = useClusterSlug();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cluster's film is not this one's
  useEffect(() => closeFilm, [slug]);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <FilmPanel />
    </Suspense>
  );
}

/** Plays each new cycle; pressed again, it puts the film away. */
export function FilmToggle() {
  const open = useSelected(filmState, isOpen);
  return (
    <Button
      look="quiet"
      small
      icon="film"
      aria-pressed={open}
      data-tip={t.film.showTip}
      data-film-toggle
      data-testid="film-toggle"
      onClick={() => (open ? closeFilm() : followFilm(true))}
    >
      {t.film.show}
    </Button>
  );
}

interface PlayProps {
  readonly sequence: number;
  /** Its name for who does not see where it stands. */
  readonly label: string;
}

export function PlayButton({ sequence, label }: PlayProps) {
  const slug = useClusterSlug();
  return (
    <Button
      small
      look="quiet"
      icon="play"
      aria-label={label}
      data-tip={t.film.openTip}
      data-film-open
      data-testid="film-open"
      onClick={() => void openFilm(slug, sequence)}
    >
      {t.film.open}
    </Button>
  );
}
