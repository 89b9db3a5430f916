import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { carriers } from './injection-carriers/carriers.ts';
import { moreCarriers, moreHumanNotes, morePayloads } from './injection-carriers/more-carriers.ts';
import { addresses, humanNotes, payloads, unrelated } from './injection-carriers/payloads.ts';
import { cleanInPlace, injectedInPlace } from './injection-carriers/in-place.ts';

const injected: Labels = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

const documents = [...carriers, ...moreCarriers];
const notes = [...humanNotes, ...moreHumanNotes];
const orders = [...payloads, ...morePayloads];

const put = (carrier: string, note: string): string =>
  carrier.replace('{note}', () => note).replace(/(?<=\S) {2,}(?=\S)/g, ' ');

/** Forms of address that name the model, for instructions that could otherwise be meant for people. */
const alone = addresses.filter((address) => !address.startsWith('{payload}'));

const aboutModel = /user|summar|answer|reply|instructions|task|tool|translat/i;

const addressed = (random: Random, payload: string): string =>
  random.pick(aboutModel.test(payload) ? addresses : alone).replace('{payload}', () => payload);

/** Joins three to nine documents, one of which contains the note. */
function longDocument(note: string, random: Random): string {
  const parts = random.sample(documents, 3 + Math.floor(random.next() * 7));
  const at = Math.floor(random.next() * parts.length);
  return parts.map((part, i) => put(part, i === at ? note : '')).join(random.pick(['\n\n', '\n---\n', '\n']));
}

export const style: Style = {
  name: 'injection-carriers',
  about:
    'Mails, tickets, reviews, web pages, code comments, tables, tool answers, calendars, resumes, logs and chats with an order ' +
    'to the model hidden in them, and the same documents without it: untouched, or with what people ask of people ' +
    '("please reply by Friday", "ignore my earlier mail"). Carriers, orders and notes are written by hand and joined.',
  rows(random: Random): Row[] {
    const rows: Row[] = [];
    for (const carrier of documents) {
      rows.push({ text: put(carrier, ''), labels: harmless() });
      for (const note of random.sample(notes, 3)) rows.push({ text: put(carrier, note), labels: harmless() });
      rows.push({ text: put(carrier, random.pick(unrelated)), labels: injected });
      for (const payload of random.sample(orders, 4))
        rows.push({ text: put(carrier, addressed(random, payload)), labels: injected });
    }
    for (let i = 0; i < 100; i++) {
      rows.push({ text: longDocument(random.pick(notes), random), labels: harmless() });
      rows.push({ text: longDocument(addressed(random, random.pick(orders)), random), labels: injected });
    }
    for (const payload of orders)
      rows.push({ text: random.pick(alone).replace('{payload}', () => payload), labels: injected });
    for (const text of notes) rows.push({ text, labels: harmless() });
    for (const text of injectedInPlace) rows.push({ text, labels: injected });
    for (const text of cleanInPlace) rows.push({ text, labels: harmless() });
    return rows;
  },
};
