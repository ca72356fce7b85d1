import { useEffect, useState } from "react";

/** A value that follows another one, but not more often than every so many milliseconds. */
export function useThrottled<T>(value: T, milliseconds: number): T {
  const [shown, setShown] = useState({ value, at: 0 });
  useEffect(() => {
    if (Object.is(shown.value, value)) return undefined;
    const wait = Math.max(0, shown.at + milliseconds - performance.now());
    const timer = setTimeout(() => setShown({ value, at: performance.now() }), wait);
    return () => clearTimeout(timer);
  }, [shown, value, milliseconds]);
  return shown.value;
}
