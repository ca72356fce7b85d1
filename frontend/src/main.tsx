/**
 * The first code that runs: theme and language, then the page.
 *
 * The page's modules read their texts when they are evaluated, so they are imported once the
 * catalogue is there.
 */
import { loadMessages } from "./app/messages";
import { followTheme } from "./app/preferences";
import "./ui/tokens.css";
import "./ui/base.css";

followTheme();
await loadMessages();
const { start } = await import("./app/start");
start();
