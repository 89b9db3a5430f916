/**
 * Tells all processes that something changed for somebody, so that open pages load it again. A notice has no content:
 * whoever hears it asks for what they may see. However much happens, each is told once in a while.
 */
import { CountWriter } from '../db/count-writer.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log/log.ts';

/** What pages show live. */
export const noticed = ['texts', 'actions', 'calls', 'decisions'] as const;

export interface ChangeNotice {
  readonly what: (typeof noticed)[number];
  readonly tenantId: string;
  /** Whom it is about; undefined: whoever of the tenant has to do with it. Administrators hear all of their tenant. */
  readonly userId?: string | undefined;
}

export interface ChangeNotices extends AsyncDisposable {
  /** Never waits and never fails: a notice that cannot be sent is sent with the next ones. */
  note(notice: ChangeNotice): void;
  /** Sends what waits, for tests. */
  flush(): Promise<void>;
}

const channel = 'bulwark_changes';
const everyMs = 1000;
/** Notices in one notification, which has 7999 bytes at most; each has two ids and a word. */
const atOnce = 60;

const everybody = '*';

export function openChangeNotices({ db, log }: { db: Database; log: Logger }): ChangeNotices {
  const writer = new CountWriter<ChangeNotice>({
    async write(notices) {
      const lines = [...notices.keys()];
      for (let i = 0; i < lines.length; i += atOnce)
        await db.notify(channel, lines.slice(i, i + atOnce).join('\n'));
    },
    merge: () => undefined,
    everyMs,
    what: 'notices of changes',
    log,
  });
  return {
    note(notice) {
      const { what, tenantId, userId = everybody } = notice;
      writer.of(`${what} ${tenantId} ${userId}`, () => notice);
    },
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}

const isNoticed = (word: string): word is ChangeNotice['what'] => noticed.some((each) => each === word);

function readNotice(line: string): ChangeNotice[] {
  const [what = '', tenantId = '', userId = ''] = line.split(' ');
  // A newer version may tell of more.
  if (!isNoticed(what)) return [];
  return [{ what, tenantId, userId: userId === everybody ? undefined : userId }];
}

/** Calls `onNotices` for those of any process; `onGap` where some may have been missed. */
export const hearChanges = (
  db: Database,
  onNotices: (notices: readonly ChangeNotice[]) => void,
  onGap: () => void,
): Promise<AsyncDisposable> =>
  db.listen(channel, (payload) => onNotices(payload.split('\n').flatMap(readNotice)), onGap);
