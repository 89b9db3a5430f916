/** Windows of a video that follow each other without overlap. */
export interface ClipWindow {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** The last window is shorter; one of less than a second belongs to the one before. */
export function clipWindows(durationSeconds: number, clipSeconds: number): ClipWindow[] {
  const windows: ClipWindow[] = [];
  for (let i = 0; i * clipSeconds < durationSeconds || i === 0; i += 1)
    windows.push({
      startSeconds: i * clipSeconds,
      endSeconds: Math.min((i + 1) * clipSeconds, durationSeconds),
    });
  const last = windows.at(-1);
  const before = windows.at(-2);
  const shortest = Math.min(1, clipSeconds);
  if (last !== undefined && before !== undefined && last.endSeconds - last.startSeconds < shortest)
    windows.splice(-2, 2, { startSeconds: before.startSeconds, endSeconds: last.endSeconds });
  return windows;
}
