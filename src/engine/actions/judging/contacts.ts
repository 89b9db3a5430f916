/** Addresses that stand in records, each in a field of its own: no stranger's sentence has put them there. */
import { emailsIn, isEmail, readable } from '../calls/addresses.ts';
import { type Call, isPureRead } from '../calls/call.ts';
import { isDestinationKey } from '../calls/destinations.ts';
import { placeOf } from '../calls/entities.ts';
import { leavesOf, outputText } from '../calls/leaves.ts';
import { once } from '../calls/once.ts';
import { parsedOutput } from '../instructions/prose.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { outputsFrom } from './outputs-with.ts';

const longest = 120;
const fromKey =
  /(?:^|_)(?:from|sender|author|owner|contact|customer|client|organi[sz]er|reporter|guest|iban|mail|tel|mobile|id)$/i;

/** `From: ap@ferro.example` above a text. */
const heading = /^(?:from|to|cc|reply-to|e-?mail|contact|phone|tel|iban|account)\s*:\s*(.{3,120})$/gim;
const mostText = 4000;
const mostRecords = 50_000;

/** `recipient: DE89…` on a line of its own, or `recipient='DE89…'` among others: records that are printed. */
const ownLine = /^[ \t]*(?:- )?([a-z_]{2,30}): *['"]?([^\n'"]{3,120}?)['"]?[ \t]*$/gim;
const pair = /\b([a-z_]{2,30})=['"]([^\n'"]{3,120})['"]/gi;
/** Fewer are no record. */
const fewest = 3;

function addPrinted(into: Set<string>, text: string): void {
  for (const shape of [ownLine, pair]) {
    const fields = [...text.slice(0, mostRecords).matchAll(shape)];
    if (fields.length < fewest) continue;
    for (const [, key = '', value = ''] of fields)
      if (isDestinationKey(key) || fromKey.test(key)) addAll(into, value);
  }
}

function addAll(into: Set<string>, text: string): void {
  const lower = text.trim().toLowerCase();
  into.add(lower);
  for (const address of emailsIn(lower)) into.add(address);
}

/** An address and nothing else, whatever the field is called: `teilnehmer`. */
const isAddress = (text: string) => isEmail(readable(text));

/** Fields that hold what somebody has written, be it an address alone. */
export const remarkKeys =
  /(?:^|_)(?:note|message|body|text|comment|description|content|remark|memo|review|bio|reason|subject)s?$/i;

/** Those in the answer to a call, in lower case. */
const contactsIn = once(({ step }: Call): ReadonlySet<string> => {
  const found = new Set<string>();
  const value = parsedOutput(step.toolOutput);
  if (value === undefined) addWritten(found, outputText(step.toolOutput));
  else
    for (const { key, text } of leavesOf(value))
      if (
        text.length <= longest &&
        (isDestinationKey(key) || fromKey.test(key) || (isAddress(text) && !remarkKeys.test(key)))
      )
        addAll(found, text);
  return found;
});

/** Whether an answer holds the address, given in lower case, as a record's own. Only answers that have it at all are read. */
export const isRecordedContact = (context: EvaluationContext, address: string): boolean =>
  outputsFrom(context, address).some(
    ({ call, lower }) =>
      // What the call did is asked last: it is worked out for each earlier call, and few answers hold the address.
      lower.includes(address) && (isToldBy(call, address) || isMade(call, address)),
  );

/** `U31`, `emp_204`: an id that means something within one system, and leads to nobody outside of it. */
const idShape = /^(?=.*\d)(?=.*[a-z])[a-z\d]{1,12}(?:[-_][a-z\d]{1,12}){0,3}$/;
const longestId = 20;

/** Whether an id, given in lower case, is a value of its own in what a look-up answered: a directory, no text. */
export const isRecordedId = (context: EvaluationContext, id: string): boolean =>
  id.length <= longestId &&
  idShape.test(id) &&
  context
    .outputs()
    .some(
      ({ call, lower }) =>
        lower.includes(id) &&
        isPureRead(call) &&
        leavesOf(parsedOutput(call.step.toolOutput)).some(({ text }) => text.toLowerCase() === id),
    );

/** It looks something up, or nobody can tell what it does, and then it must not have been given the address. */
const isToldBy = (call: Call, address: string): boolean =>
  contactsIn(call).has(address) &&
  (call.effects.has('read') || (call.effects.size === 0 && !isGivenTo(call, address)));

const isGivenTo = ({ leaves }: Call, address: string): boolean =>
  leaves.some(({ text }) => text.toLowerCase().includes(address));

/** A link or an address that a step has made: `label_url`. What it was given it may give back: that is on no record. */
const isMade = (call: Call, address: string): boolean =>
  !call.effects.has('read') &&
  !isGivenTo(call, address) &&
  leavesOf(parsedOutput(call.step.toolOutput)).some(
    ({ key, text }) =>
      text.length <= longest && isDestinationKey(key) && placeOf(text.toLowerCase()) === address,
  );

/** Of an answer that is no JSON: records that are printed, and the head of a message, not what was written into it. */
function addWritten(into: Set<string>, text: string): void {
  addPrinted(into, text);
  const [head = ''] = text.slice(0, mostText).split(/\n\s*\n/, 1);
  for (const [, address = ''] of head.matchAll(heading)) addAll(into, address);
}
