/** Notifications of a server on their way to the client: checked as answers are, and kept in order. */
import { notification, type Fields, type RpcNotification } from '#mcp/json-rpc.ts';
import { levelReaches } from '#mcp/protocol.ts';
import { deliverable } from '../guarding/deliverable.ts';
import { inspect, marked } from '../guarding/inspect.ts';
import { textsOf } from '../guarding/texts.ts';
import type { LiveGateway } from './live-gateway.ts';

export interface CheckedNews {
  tell(message: RpcNotification): void;
  /** Resolves when everything told so far has reached the client, or was withheld; undefined if that is so now. */
  settled(): Promise<void> | undefined;
}

/** A server that says more than this during one call is read no further: the rest is dropped. */
const maxWaiting = 1000;

/** The progress token is the client's own: it stays as it is. */
function withoutToken({ method, params = {} }: RpcNotification): { said: Fields; token: Fields } {
  if (method !== 'notifications/progress' || params['progressToken'] === undefined)
    return { said: params, token: {} };
  const { progressToken, ...said } = params;
  return { said, token: { progressToken } };
}

const withheldParams = (said: Fields): Fields => ({
  ...(typeof said['progress'] === 'number' && { progress: said['progress'] }),
  ...(levelReaches(said['level'], 'debug') && {
    level: said['level'],
    data: 'The gateway withheld this message, because it carries instructions to the agent.',
  }),
});

/** @param name what the messages are about, such as the name of a tool */
export function checkedNews(
  live: LiveGateway,
  name: string,
  send: (message: RpcNotification) => void,
): CheckedNews {
  let tail: Promise<void> | undefined;
  let waiting = 0;

  const checked = async (message: RpcNotification): Promise<RpcNotification> => {
    const { gateway } = live;
    const { said, token } = withoutToken(message);
    const found = await inspect(live.guards, { gateway, name }, said);
    if (found?.withheld === true) return notification(message.method, { ...withheldParams(said), ...token });
    const { result } = await deliverable(gateway, said);
    const shown = found === undefined ? result : marked(result, found);
    return { ...message, params: { ...shown, ...token } };
  };

  return {
    tell(message) {
      const { outputGuard, resultRedaction } = live.gateway;
      const isPlain = outputGuard === 'off' && resultRedaction === 'off';
      // Most progress has numbers only.
      if (tail === undefined && (isPlain || textsOf(withoutToken(message).said).characters === 0)) {
        send(message);
        return;
      }
      if (waiting >= maxWaiting) return;
      waiting += 1;
      tail = (tail ?? Promise.resolve()).then(async () => {
        try {
          send(await checked(message));
        } finally {
          waiting -= 1;
        }
      });
      // A message that cannot be checked is not passed on.
      tail = tail.catch(() => undefined);
    },
    settled: () => tail,
  };
}
