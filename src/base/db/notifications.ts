export type OnWarning = (message: string) => void;

/** The channel's name, where it is one that needs no quoting and no truncation on either database. */
export function channelName(channel: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel)) throw new TypeError(`"${channel}" is no name for a channel.`);
  return channel;
}

/** Calls a listener; what it throws is a warning and disturbs no one else. */
export function deliverSafely(listener: (payload: string) => void, payload: string, onWarning: OnWarning) {
  try {
    listener(payload);
  } catch (error) {
    onWarning(`A listener for database notifications failed: ${String(error)}`);
  }
}
