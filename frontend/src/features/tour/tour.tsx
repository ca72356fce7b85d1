/**
 * A short tour: a card beside what it speaks of, which is outlined.
 *
 * It is no dialog: the page below can be used meanwhile, Tab leaves the card, and Escape ends it
 * from anywhere. The focus goes to the card with each step, and back to where it was at the end.
 */
import { type KeyboardEvent, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { Button, IconButton } from "../../ui/button";
import { type Box, cardPlace, type Place, STEPS, type Step, stepAfter, stepBefore, TARGETS } from "./steps";
import styles from "./tour.module.css";
import { endTour, goTo, startTourOnce, tour } from "./tour_store";

export function Tour() {
  const step = useStore(tour);
  useEffect(startTourOnce, []);
  useEffect(() => endTour, []);
  return step ? <Card step={step} /> : null;
}

function Card({ step }: { readonly step: Step }) {
  const card = useRef<HTMLElement>(null);
  const { target, place } = usePlaces(step, card);
  const heading = useId();
  useFocus(card, step);
  useEscape();
  const before = stepBefore(step);
  const after = stepAfter(step);
  const walk = (event: KeyboardEvent) => {
    const to = { ArrowRight: after, ArrowLeft: before }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(to);
  };
  const { title, text } = t.tour.steps[step];
  return (
    <>
      {target && <div className={styles.ring} style={grown(target)} />}
      <section
        ref={card}
        className={styles.card}
        style={place ?? UNPLACED}
        tabIndex={-1}
        aria-labelledby={heading}
        aria-roledescription={t.tour.label}
        onKeyDown={walk}
        data-testid="tour"
        data-step={step}
      >
        <div className={styles.head}>
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" small label={t.tour.skip} onClick={endTour} />
        </div>
        <p>{text}</p>
        <div className={styles.foot}>
          <span className={styles.count}>{t.tour.step(STEPS.indexOf(step) + 1, STEPS.length)}</span>
          <span className={styles.keys}>{t.tour.keys}</span>
          {before && (
            <Button small onClick={() => goTo(before)}>
              {t.tour.back}
            </Button>
          )}
          <Button small look="primary" onClick={() => (after ? goTo(after) : endTour())} data-testid="tour-next">
            {after ? t.tour.next : t.tour.done}
          </Button>
        </div>
      </section>
    </>
  );
}

/** Not seen before it is measured, but able to take the focus, which nothing hidden is. */
const UNPLACED = { opacity: 0 } as const;

const RING = 4;

const grown = ({ left, top, width, height }: Box) => ({
  left: left - RING,
  top: top - RING,
  width: width + 2 * RING,
  height: height + 2 * RING,
});

interface Places {
  readonly target: Box | undefined;
  readonly place: Place | undefined;
}

/** Measured again whenever the page may have moved what is pointed at. */
function usePlaces(step: Step, card: { readonly current: HTMLElement | null }): Places {
  const [places, setPlaces] = useState<Places>({ target: undefined, place: undefined });
  const measure = useCallback(() => {
    if (!card.current) return;
    const target = boxOf(document.querySelector(TARGETS[step]));
    const { offsetWidth: width, offsetHeight: height } = card.current;
    setPlaces({
      target,
      place: cardPlace(target, { width, height }, { width: window.innerWidth, height: window.innerHeight }),
    });
  }, [step, card]);
  useLayoutEffect(() => {
    measure();
    const sizes = new ResizeObserver(measure);
    const watch = () => {
      const target = document.querySelector(TARGETS[step]);
      if (!target) return;
      // It may come late (the palette is read from the server), and is looked for until it does.
      late.disconnect();
      sizes.observe(target);
    };
    const late = new MutationObserver(watch);
    late.observe(document.body, { childList: true, subtree: true });
    watch();
    sizes.observe(document.body);
    window.addEventListener("resize", measure);
    return () => {
      late.disconnect();
      sizes.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [measure, step]);
  return places;
}

function boxOf(element: Element | null): Box | undefined {
  const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return width > 0 && height > 0 ? { left, top, width, height } : undefined;
}

function useFocus(card: { readonly current: HTMLElement | null }, step: Step): void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    before.current = document.activeElement;
    return () => {
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each step
  useEffect(() => card.current?.focus({ preventScroll: true }), [step, card]);
}

/** What Escape closes or leaves by itself. */
const TAKES_ESCAPE = "dialog, [popover], input, textarea, select, [contenteditable=true]";

function useEscape(): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(TAKES_ESCAPE) !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) endTour();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
