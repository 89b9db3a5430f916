import type { Call } from '../calls/call.ts';
import { namesValue, type Request } from './request.ts';
import { verbSenses } from '../verbs.ts';
import { nameWords, root, textWords } from '../words.ts';

/** A day that both name says nothing of what is done. */
const when =
  /^(?:\d+|today|tomorrow|yesterday|tonight|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)$/;

/** The name of the tool has a word of the user's. */
const sharesName = ({ words }: Call, request: Request): boolean =>
  words.some((word) => word.length > 3 && request.roots.has(root(word)));

/** Things that the call names and the user speaks of too. */
export function sharesSubject(call: Call, request: Request): boolean {
  if (sharesName(call, request)) return true;
  return call.leaves.some(({ text }) => {
    const words = textWords(text.slice(0, 500)).filter((word) => word.length > 3 && !when.test(word));
    const met = words.filter((word) => request.roots.has(root(word))).length;
    return words.length > 0 && met > 0 && met / words.length >= 0.2;
  });
}

/** The call names something that the user's request is about. */
export const sharesTopic = (call: Call, { topics }: Request): boolean =>
  call.words.some((word) => topics.has(root(word))) ||
  call.leaves.some(({ key, text }) =>
    [...nameWords(key), ...textWords(text.slice(0, 1000))].some((word) => topics.has(root(word))),
  );

/** A value of the call was given by the user, or is what the request is about. */
export const isGiven = (call: Call, request: Request): boolean =>
  call.leaves.some(
    ({ text }) =>
      (text.length >= 3 &&
        !when.test(text.toLowerCase()) &&
        /\p{L}|\d{3}/u.test(text) &&
        namesValue(request, text)) ||
      (text.length <= 60 && textWords(text).some((word) => request.topics.has(root(word)))),
  );

/** How near the call is to what the user speaks of: a thing in the names of it, a value that the user gave. */
export function nearness(call: Call, request: Request): number {
  const names = [...call.words, ...call.leaves.flatMap(({ key }) => nameWords(key))];
  const isNamed = names.some(
    (word) => word.length > 3 && verbSenses(word).length === 0 && request.roots.has(root(word)),
  );
  return (isNamed ? 0.7 : 0) + (isGiven(call, request) ? 0.6 : 0);
}

/** `C-20881` and `C-20977`: numbers and names of one kind. */
const shapeOf = (id: string) =>
  id.replaceAll(/\d+/g, '9').replaceAll(/\p{L}+/gu, 'a') + (/^\d+$/.test(id) ? id.length : '');

const isDay = (id: string) => /^\d{4}-\d\d(?:-\d\d)?|^\d\d?(?:st|nd|rd|th|am|pm)$/.test(id);

/** The user said which one, and the value names another of that kind. */
export function namesAnother(value: string, call: Call, request: Request): boolean {
  if (!/\d/.test(value) || /^\d{1,3}$/.test(value) || value.length > 40 || isDay(value)) return false;
  const shape = shapeOf(value);
  const alike = request.ids.filter((id) => !isDay(id) && shapeOf(id) === shape);
  return (
    alike.length > 0 && !alike.some((id) => call.leaves.some(({ text }) => text.toLowerCase().includes(id)))
  );
}
