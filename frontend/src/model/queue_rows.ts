/**
 * A lane of the queue as rows of one height: pods, under headings where they are grouped.
 *
 * A lane may have tens of thousands of pods. Rows are therefore not made: which row is where is computed from the sizes
 * of the groups, and only those in view are asked for.
 */
import type { QueuedPodCard } from "./messages.generated";

export interface LaneGroup {
  /** What its pods have in common. */
  readonly label: string;
  readonly cards: readonly QueuedPodCard[];
}

export type LaneRow =
  | { readonly kind: "group"; readonly group: LaneGroup; readonly open: boolean }
  /** `grouped`: a heading above says what it has in common with others. */
  | { readonly kind: "pod"; readonly card: QueuedPodCard; readonly grouped: boolean };

export interface LaneRows {
  readonly count: number;
  readonly at: (row: number) => LaneRow | undefined;
}

/** The largest group first, those of one size in the order of their first pods; pods keep their order. */
export function groupedBy(
  cards: readonly QueuedPodCard[],
  labelOf: (card: QueuedPodCard) => string,
): readonly LaneGroup[] {
  const groups = new Map<string, QueuedPodCard[]>();
  for (const card of cards) {
    const label = labelOf(card);
    const group = groups.get(label);
    if (group) group.push(card);
    else groups.set(label, [card]);
  }
  return [...groups].map(([label, of]) => ({ label, cards: of })).sort((a, b) => b.cards.length - a.cards.length);
}

export function plainRows(cards: readonly QueuedPodCard[]): LaneRows {
  return { count: cards.length, at: (row) => podRow(cards[row], false) };
}

/** Headings and, below those that are open, their pods. */
export function groupedRows(groups: readonly LaneGroup[], closed: ReadonlySet<string>): LaneRows {
  const sizes = groups.map(({ label, cards }) => 1 + (closed.has(label) ? 0 : cards.length));
  const at = (row: number): LaneRow | undefined => {
    let first = 0;
    for (const [place, group] of groups.entries()) {
      const size = sizes[place] ?? 0;
      if (row < first + size) {
        return row === first ? { kind: "group", group, open: size > 1 } : podRow(group.cards[row - first - 1], true);
      }
      first += size;
    }
    return undefined;
  };
  return { count: sizes.reduce((sum, size) => sum + size, 0), at };
}

const podRow = (card: QueuedPodCard | undefined, grouped: boolean): LaneRow | undefined =>
  card && { kind: "pod", card, grouped };

/** How much of a wait is left, 1 to 0. */
export function shareLeft(since: number, until: number, now: number): number {
  if (until <= since) return 0;
  return Math.min(1, Math.max(0, (until - now) / (until - since)));
}
