/** Tools that are named for what they tell of a thing: `refund_status`, `attachment_text`, `card_transactions`. */
import { verbSenses } from '../verbs.ts';

/** What one is told of a thing. */
const aspects = new Set(
  `status statuses detail details info history balance balances eligibility summary overview availability forecast
  requirements transactions quote statistics stats check current logs`.split(/\s+/),
);
/** Text is told of what holds it; a person is texted. */
const holders = new Set('doc docs document pdf page file attachment image ocr html article scan'.split(' '));

/** Names of acts that are things where something is told of them. */
const things = new Set(
  `refund payment order booking reservation transaction transfer shipment delivery subscription compensation
  reimbursement credit charge bill invoice purchase deposit withdrawal trade deploy deployment build release cancellation claim dispute`.split(
    /\s+/,
  ),
);

/** Details may be mailed, and the status of a mail is looked up. */
const mails = new Set(['email', 'mail', 'message', 'sms', 'text', 'fax', 'notification']);
const ofMails = new Set(['status', 'statuses', 'history', 'statistics', 'stats']);

/** Whether the name says a thing and what is told of it, and no act. */
export function readsAspect(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const isAspect = aspects.has(last) || (last === 'text' && holders.has(before.at(-1) ?? ''));
  if (!ofMails.has(last) && before.some((word) => mails.has(word))) return false;
  return (
    isAspect &&
    (before.length > 0 || last === 'transactions') &&
    before.every((word) => things.has(word) || verbSenses(word).length === 0)
  );
}
