/**
 * The page's icons: 16 x 16, one stroke width, drawn in the colour of the text beside them.
 *
 * An icon never speaks alone: it stands beside its word, or its control has an aria-label.
 */
const PATHS = {
  // Meanings
  fits: "M3 8.5 6.5 12 13 4.5",
  rejected: "M4 4l8 8M12 4l-8 8",
  unresolvable: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM3.8 3.8l8.4 8.4",
  chosen: "M8 2l1.8 3.8 4.2.5-3.1 2.9.8 4.1L8 11.3 4.3 13.3l.8-4.1L2 6.3l4.2-.5L8 2Z",
  victim: "M8 2v7M4.5 6 8 9.5 11.5 6M3 13h10",
  nominated: "M4 14V2.5h8l-2 3 2 3H4",
  waiting: "M5.5 3v10M10.5 3v10",
  backing_off: "M8 4.5V8l2.5 1.5M2.5 8A5.5 5.5 0 1 0 4 4.2M2.5 2.5v3h3",
  // Pod phases
  pending: "M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 8 2.8Z",
  gated: "M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
  starting: "M8 2.8v10.4a5.2 5.2 0 0 0 0-10.4ZM8 2.8a5.2 5.2 0 0 0 0 10.4",
  running: "M5 3.5v9l7-4.5-7-4.5Z",
  succeeded: "M3 8.5 6.5 12 13 4.5",
  failed: "M4 4l8 8M12 4l-8 8",
  terminating: "M3.5 5h9M6 5V3h4v2M4.5 5l.7 8.5h5.6l.7-8.5",
  // Controls
  pause: "M5 3v10M11 3v10",
  play: "M4.5 3v10l8-5-8-5Z",
  step: "M3.5 3v10l6-5-6-5ZM12 3v10",
  step_back: "M12.5 3v10l-6-5 6-5ZM4 3v10",
  breakpoint: "M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z",
  rewind: "M7.5 3v10l-5.5-5 5.5-5ZM14 3v10L8.5 8 14 3Z",
  film: "M2 3h12v10H2zM5 3v10M11 3v10M2 6.3h3M2 9.7h3M11 6.3h3M11 9.7h3",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z",
  system: "M2 3h12v8H2zM6 14h4",
  menu: "M8 3.5v.01M8 8v.01M8 12.5v.01",
  close: "M4 4l8 8M12 4l-8 8",
  chevron_down: "M4 6l4 4 4-4",
  chevron_right: "M6 4l4 4-4 4",
  chevron_left: "M10 4 6 8l4 4",
  chevron_up: "M4 10l4-4 4 4",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  trash: "M3.5 5h9M6 5V3h4v2M4.5 5l.7 8.5h5.6l.7-8.5",
  edit: "M3 13l.6-3L10.5 3.2l2.3 2.3L6 12.4 3 13Z",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  download: "M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
  upload: "M8 11V3M4.5 6 8 2.5 11.5 6M3 13.5h10",
  inspect: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14",
  cordon: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM3.8 3.8l8.4 8.4",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.5v3.5M8 5v.01",
  warning: "M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.3v.01",
  connected: "M2 6.5a9 9 0 0 1 12 0M4.3 9a5.5 5.5 0 0 1 7.4 0M8 12v.01",
  disconnected: "M2 6.5a9 9 0 0 1 12 0M8 12v.01M3 14 13 3",
  node: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v.01M5 11v.01",
  pod: "M8 2l5.2 3v6L8 14l-5.2-3V5L8 2ZM2.8 5 8 8l5.2-3M8 8v6",
  pin: "M6 2.5h4l-.5 4 2.5 2.5H4l2.5-2.5-.5-4ZM8 9v5",
  settings: "M2 4.5h6M11 4.5h3M8 3h3v3H8zM2 11.5h2M7 11.5h7M4 10h3v3H4z",
  keyboard: "M1.5 4h13v8h-13zM4 7v.01M6.7 7v.01M9.3 7v.01M12 7v.01M5 9.7h6",
  arrow_right: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10M6 6h4v4H6Z",
  group: "M2 3h5v10H2zM9 3h5v4H9zM9 9h5v4H9z",
  colour: "M8 2.2a5.8 5.8 0 1 0 0 11.6ZM8 2.2a5.8 5.8 0 0 1 0 11.6M10.5 4v8",
  external: "M6 3H3v10h10v-3M9 3h4v4M13 3 7.5 8.5",
  undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
  taint: "M8 2.5 13.5 8 8 13.5 2.5 8ZM8 6v2.5M8 10.5v.01",
  label: "M2.5 3h6l5 5-5.5 5.5-5.5-5ZM5.5 6v.01",
  image: "M2.5 3h11v10h-11zM2.5 11l3.5-3.5 2.5 2.5 2-2 3 3M10.5 5.8v.01",
  drain: "M3 3h10v5H3zM5.5 8v3.5M8 8v5M10.5 8v3.5",
  power: "M8 2v5.5M4.6 4.3a5 5 0 1 0 6.8 0",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(["running", "play", "chosen", "breakpoint"]);

export function Icon({ name, size = 14 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={FILLED.has(name) ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
