/** Patterns of contact data, addresses, dates of birth and names. */
import type { Shape } from './finding.ts';
import { beforeOtherNumber } from './other-numbers.ts';

const digits = (text: string) => text.replaceAll(/\D/g, '');
const countsDigits = (least: number, most: number) => (value: string) => {
  const { length } = digits(value);
  return length >= least && length <= most;
};

const emails: readonly Shape[] = [
  {
    kind: 'email',
    type: 'email',
    shape:
      /(?<![\p{L}\p{N}._%+'-])(?<!:\/\/[^\s:@/]{1,60}:)[\p{L}\p{N}][\p{L}\p{N}._%+'-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}\.\p{L}{2,24}(?![\p{L}\p{N}])/dgu,
    anchor: { part: /@/g, reach: 600 },
  },
  {
    kind: 'email',
    type: 'email_spelled_out',
    shape:
      /\b[\w.+-]{1,64} ?[[({] ?at ?[\])}] ?[\w-]{1,63}(?: ?(?:\.|[[({] ?dot ?[\])}]) ?[\w-]{1,63}){1,4}/dgi,
    anchor: { part: /[[({] ?at ?[\])}]/gi, reach: 600 },
  },
  {
    kind: 'email',
    type: 'email_spelled_out',
    shape:
      /\b[\w.+-]{2,64}(?: dot [\w-]{1,63}){0,2} at [\w-]{2,63}(?: dot [\w-]{2,63}){0,3} dot (?:com|org|net|edu|gov|de|fr|uk|io|co|eu|es|it|nl)\b/dgi,
    anchor: { part: / dot (?:com|org|net|edu|gov|de|fr|uk|io|co|eu|es|it|nl)\b/gi, reach: 800 },
  },
];

const isIpV4 = (value: string) => {
  const parts = value.split('.').map(Number);
  return parts.every((part) => part <= 255) && !/^(?:0\.|127\.|255\.255\.)/.test(value);
};

/** RFC 4291: eight groups, or fewer with one `::`. */
function isIpV6(value: string): boolean {
  const halves = value.split('::');
  const groups = value.split(':').filter((group) => group !== '');
  if (halves.length > 2 || groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return false;
  if (halves.length === 2) return groups.length >= 2 && groups.length <= 7;
  return groups.length === 8;
}

const addressesOfMachines: readonly Shape[] = [
  {
    kind: 'ip_address',
    type: 'ipv4',
    shape: /(?<![\w.-])(?<!\bv(?:ersion)? ?)\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/dgi,
    check: isIpV4,
  },
  { kind: 'ip_address', type: 'ipv6', shape: /(?<![\w:.])[0-9a-f:]{6,39}(?![\w:])/dgi, check: isIpV6 },
];

const isDate =
  /^(?:\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const isPhone = (value: string) => !isDate.test(value.trim()) && countsDigits(8, 15)(value);

const phones: readonly Shape[] = [
  {
    kind: 'phone',
    type: 'international',
    shape:
      /(?<![\w+])(?:\+|00)[1-9]\d{0,2}[ ./-]{0,2}(?:\(0\) ?)?(?:\(?\d{1,5}\)?[ ./-]{0,2}){1,6}\d{1,4}(?!\w)/dg,
    check: countsDigits(9, 15),
  },
  {
    kind: 'phone',
    type: 'north_american',
    shape: /(?<![\w.+-])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}[2-9]\d{2}[ .-]\d{4}(?![\w-])/dg,
    notAfter: beforeOtherNumber,
  },
  {
    kind: 'phone',
    type: 'national',
    shape: /(?<![\w.,/-])\(?0\d{1,4}\)?(?:[ /-]\d{2,8}){1,5}(?![\w-])/dg,
    check: (value) => countsDigits(9, 12)(value) && !isDate.test(value),
    notAfter: beforeOtherNumber,
  },
  {
    kind: 'phone',
    type: 'national',
    shape: /(?<![\w.,/+-])\(?\d[\d ()./-]{6,18}\d(?![\w-])/dg,
    check: isPhone,
    after:
      /\b(?:tel(?:e(?:phone|fon|fono|foon))?|t[ée]l(?:[ée]phone)?|phone|mobile|mobil|cell(?:phone)?|handy|fax|whats ?app|sms|text|call(?: me)?|ring(?: me)?|reach me|hotline|teléfono|móvil|portable)\b[^\d\n]{0,20}$/i,
    notAfter: beforeOtherNumber,
  },
];

const month =
  '(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vrier|mar(?:ch|s)?|märz|apr(?:il)?|avril|ma[iy]|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|ao[uû]t|sep(?:t(?:ember|embre)?)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember)?|d[ée]cembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)';
const date = `(?:\\d{4}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{1,2}(?:st|nd|rd|th|\\.)?(?: of| de)? ${month}\\.?,?(?: de)? \\d{4}|${month}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`;
const born =
  'date of birth|birth ?date|birth ?day|d\\.?o\\.?b\\.?|born|geboren|geburtsdatum|geb\\.|date de naissance|n[ée]e? le|fecha de nacimiento|nacid[oa]|data di nascita|nat[oa] il|geboortedatum';

const births: readonly Shape[] = [
  {
    kind: 'date_of_birth',
    type: 'date_of_birth',
    shape: new RegExp(
      `(?<!\\w)(?:${born})(?!\\w)["')]{0,2}[\\s:=]{0,4}(?:(?:is|was|on|am|el|le|in [\\p{L} ]{2,30} on)\\s)?["'(]{0,2}(?<value>${date})(?!\\w)`,
      'dgiu',
    ),
  },
];

const capital = "\\p{Lu}[\\p{L}'’-]{1,25}";
const street =
  'street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|way|place|pl|square|sq|terrace|close|crescent|gardens|highway|hwy|parkway|pkwy|row|mews|grove';
const unit =
  '(?: (?:NW|NE|SW|SE|N|S|E|W)(?![\\p{L}\\d]))?(?:,? (?:[Aa]pt|[Aa]partment|[Ss]uite|[Ss]te|[Uu]nit|[Ff]lat|[Ff]loor|#)\\.? ?[\\w-]{1,6})?';
const place = `(?:,?(?: \\p{Lu}[\\p{Ll}'.-]{1,25}){1,3})?(?:,? [A-Z]{2}(?![\\p{L}\\d]))?(?:,? (?:\\d{5}(?:-\\d{4})?|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}))?`;
const continental = `(?:,? (?:[A-Z]{1,2}-)?\\d{4,5}(?: [A-Z]{2})? ${capital}(?: ${capital})?)?`;

const addresses: readonly Shape[] = [
  {
    kind: 'address',
    type: 'street_address',
    shape: new RegExp(
      `(?<![\\w.,])\\d{1,5}[A-Za-z]?,? (?:(?:[NSEW]|North|South|East|West)\\.? )?(?:(?:\\p{Lu}[\\p{L}'.-]{1,20}|\\d{1,3}(?:st|nd|rd|th)) ){1,4}(?:${street.replaceAll(/\b[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})(?![\\p{L}])\\.?${unit}${place}`,
      'dgu',
    ),
  },
  {
    kind: 'address',
    type: 'street_address',
    shape: new RegExp(
      `(?<![\\p{L}-])(?:\\p{Lu}[\\p{L}-]{1,30}(?:straße|strasse|str\\.|weg|platz|allee|gasse|damm|ufer)|(?:${capital} ){1,2}(?:Straße|Strasse|Str\\.|Weg|Platz|Allee|Gasse|Ring)) \\d{1,4} ?[a-zA-Z]?(?![\\p{L}\\d])${continental}`,
      'dgu',
    ),
    anchor: {
      part: /(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|Straße|Strasse|Str\.|Weg|Platz|Allee|Gasse|Ring) \d/g,
      reach: 400,
    },
  },
  {
    kind: 'address',
    type: 'street_address',
    shape: new RegExp(
      `(?<![\\w.,])\\d{1,4}(?: ?(?:bis|ter|[A-D]))?,? (?:rue|avenue|boulevard|place|chemin|allée|impasse|quai|cours) (?:(?:de|du|des|la|le|les|l'|d'|aux?|et) ?){0,3}(?:${capital} ?){1,4}${continental}`,
      'dgu',
    ),
  },
  {
    kind: 'address',
    type: 'post_box',
    shape: /\b(?:P\.? ?O\.? Box|Postfach|Boîte postale) \d{1,7}(?:, [^\n.;]{3,60})?/dgu,
  },
];

const notNames =
  '(?:Sir|Madam|Madame|Sr|Sra|Señor|Señora|Señores|Sres|Klant|Klanten|Collega|Meneer|Mevrouw|Heer|Amigos?|Clientes?|Clienti|Team|All|Customer|Colleague|Friend|Support|Everyone|Hiring|User|Support|Service|Reader|Guest|Members?|Students?|Parents?|Editor|Manager|Recruiter|Doctor|Professor|The|This|That|Not|None|Unknown|Please|Thanks?|In|On|At|For|And|But|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June|July|August|September|October|November|December)';
const word = `(?!${notNames}\\b)\\p{Lu}(?:[\\p{L}'’]{1,25}(?:-\\p{Lu}[\\p{L}]{1,25})?|\\.)`;
const particle = '(?:(?:van|von|de|der|den|di|da|del|la|le|bin|al|el|ter|zu|y) ){0,2}';
const nameOf = (least: number, most: number) => `${word}(?: ${particle}${word}){${least - 1},${most - 1}}`;
const called = (type: string, before: string, names: string, part?: RegExp): Shape => ({
  kind: 'name',
  type,
  shape: new RegExp(`(?<!\\p{L})${before}(?<value>${names})`, 'dgu'),
  ...(part && { anchor: { part, reach: 800 } }),
});

const names: readonly Shape[] = [
  called(
    'introduced',
    "(?:[Mm]y (?:full )?name is|[Mm]y name['’]s|[Ii]ch heiße|[Ii]ch heisse|[Mm]ein Name ist|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i nombre es|[Mm]i chiamo|[Ii]k heet|[Tt]his is|(?:is|was) (?:named|called))\\s",
    nameOf(2, 4),
  ),
  called(
    'introduced',
    "(?:[Mm]y (?:full )?name is|[Mm]y name['’]s|[Ii]ch heiße|[Mm]ein Name ist|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i chiamo|[Ii]k heet)\\s",
    nameOf(1, 4),
  ),
  called(
    'titled',
    '(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Judge|Nurse|Sir|Herrn?|Frau|Monsieur|Madame|Mme|Mlle|Señora?|Sra?|Signora?|Sig|Dhr|Mevr)\\.?\\s(?:Dr\\.?\\s)?',
    nameOf(1, 3),
  ),
  called(
    'field',
    '(?:(?:[Ff]ull |[Ff]irst |[Ll]ast |[Cc]ustomer |[Pp]atient |[Ee]mployee |[Aa]ccount |[Cc]ardholder |[Bb]eneficiary |[Ss]ur|[Mm]aiden )?[Nn]ame|NAME|[Pp]atient|[Cc]ustomer|[Ee]mployee|[Aa]pplicant|[Tt]enant|[Cc]ardholder|[Bb]eneficiary|[Aa]ccount holder|[Ss]igned|[Cc]ontact(?: person)?|[Nn]om)"?\\s?[:=]\\s?"?',
    nameOf(1, 4),
    /(?:name|NAME|Name|atient|ustomer|mployee|pplicant|enant|holder|eneficiary|igned|ontact(?: person)?|[Nn]om)"?\s?[:=]/g,
  ),
  called('addressed', '(?:Dear|Liebe[r]?|Chère?|Estimad[oa]|Caro|Cara|Beste)\\s', nameOf(1, 3)),
  called(
    'signed',
    '(?:[Rr]egards|[Ss]incerely(?: yours)?|[Yy]ours (?:truly|faithfully|sincerely)|[Bb]est wishes|[Cc]heers|Mit freundlichen Grüßen|Cordialement|Saludos|Cordiali saluti),?\\s{1,3}',
    nameOf(1, 3),
    /egards|incerely|ours (?:truly|faithfully|sincerely)|est wishes|heers|Mit freundlichen Grüßen|Cordialement|Saludos|Cordiali saluti/g,
  ),
];

export const personalShapes: readonly Shape[] = [
  ...emails,
  ...addressesOfMachines,
  ...births,
  ...phones,
  ...addresses,
  ...names,
];
