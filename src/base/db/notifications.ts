export type OnWarning = (message: string) => void;

/** Checks that a channel name needs neither quoting nor truncation on either database. */
export function channelName(channel: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel))
    throw new TypeError(`"${channel}" is not a valid channel name.`);
  return channel;
}

/** Calls a listener; an error it throws is reported as a warning and affects no other listener. */
export function deliverSafely(listener: (payload: string) => void, payload: string, onWarning: OnWarning) {
  try {
    listener(payload);
  } catch (error) {
    onWarning(`A listener for database notifications failed: ${String(error)}`);
  }
}
