/** Mail addresses and hosts in letters of all scripts, as mail servers and resolvers take them. */
import { domainToASCII, domainToUnicode } from 'node:url';

/** Host of an address that nobody can read: it lies in no domain. */
export const unreadHost = '?';

const isAscii = (text: string) => !/[^\0-~]/.test(text);

/** Shows nothing, or only turns what follows. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u007f-\u009f]/gu;
/** Dots of other scripts that divide a domain as the full stop does. */
const otherDots = /[\u3002\uff0e\uff61]/g;
const otherMarks = /(?=[^\0-~])\p{P}/gu;

/**
 * Full-width letters and signs as plain ones, without what shows nothing, and with blanks for quotation marks and other
 * punctuation that no address has. A text of ASCII, as nearly all are, stays itself.
 */
export const readable = (text: string): string =>
  isAscii(text)
    ? text
    : text.replaceAll(unseen, '').normalize('NFKC').replaceAll(otherDots, '.').replaceAll(otherMarks, ' ');

/** A host in the form that is looked up, so that `münchen.de` and `xn--mnchen-3ya.de` are one. */
export function asciiHost(host: string): string {
  if (isAscii(host)) return host;
  const read = readable(host);
  // What follows such a sign the function takes for the rest of a link, and leaves out.
  const ascii = /[\s/?#@\\:%]/.test(read) ? '' : domainToASCII(read);
  return ascii === '' ? unreadHost : ascii;
}

/** The same address with its domain in the other of the two forms, in which a text may have it. */
export function inOtherForm(value: string): string | undefined {
  const at = value.lastIndexOf('@') + 1;
  const domain = value.slice(at);
  if (isAscii(domain) && !domain.includes('xn--')) return undefined;
  if (/[\s/?#\\:%]/.test(domain)) return undefined;
  const other = isAscii(domain) ? domainToUnicode(domain) : domainToASCII(domain);
  return other === '' ? undefined : value.slice(0, at) + other;
}

const plainEmail = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}$/;
const foreignEmail =
  /^[\p{L}\p{M}\p{N}\p{S}\w.-]{1,64}@[\p{L}\p{M}\p{N}\p{So}_-]{1,63}(?:\.[\p{L}\p{M}\p{N}\p{So}_-]{1,63}){1,5}$/u;

/** Whether a text is a mail address and nothing else; what is not ASCII has to be `readable`. */
export const isEmail = (text: string): boolean => (isAscii(text) ? plainEmail : foreignEmail).test(text);

const plainEmails = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const foreignEmails =
  /[\p{L}\p{M}\p{N}\p{S}\w.-]{1,64}@[\p{L}\p{M}\p{N}\p{So}_-]{1,63}(?:\.[\p{L}\p{M}\p{N}\p{So}_-]{1,63}){1,5}/gu;

/** The mail addresses within a short text. */
export const emailsIn = (text: string): string[] =>
  (isAscii(text) ? text.match(plainEmails) : readable(text).match(foreignEmails)) ?? [];
