/** Check digits of identity, card and account numbers. Each takes the number without its separators. */

const digitsOf = (text: string) => Array.from(text, Number);
const weighted = (text: string, weights: readonly number[]) =>
  digitsOf(text.slice(0, weights.length)).reduce((sum, digit, i) => sum + digit * (weights[i] ?? 0), 0);

/** ISO/IEC 7812-1, annex B. */
export function passesLuhn(number: string): boolean {
  const sum = digitsOf(number)
    .toReversed()
    .reduce((total, digit, i) => {
      const value = i % 2 === 1 ? digit * 2 : digit;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** Remainder of a decimal number of any length. */
const modulo = (number: string, by: number) =>
  digitsOf(number).reduce((rest, digit) => (rest * 10 + digit) % by, 0);

/** ISO 13616: countries with their lengths. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/** How many characters an IBAN of the country has; undefined where there is none. */
export const ibanLength = (country: string): number | undefined => ibanLengths[country];

/** ISO 7064 MOD 97-10. */
export function isIban(text: string): boolean {
  const iban = text.toUpperCase();
  if (iban.length !== ibanLength(iban.slice(0, 2))) return false;
  const turned = iban.slice(4) + iban.slice(0, 4);
  return (
    modulo(
      turned.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  );
}

/** Ranges of the issuers and the lengths of their numbers. */
const issuers: readonly [range: RegExp, lengths: readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|[689])/, [14, 16, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^(?:352[89]|35[3-8])/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0-9])/, [13, 15, 16, 19]],
];

/** A number of a known issuer, with its length and check digit. */
export const isCardNumber = (number: string): boolean =>
  issuers.some(([range, lengths]) => range.test(number) && lengths.includes(number.length)) &&
  !/^(\d)\1*$/.test(number) &&
  passesLuhn(number);

export const isSpanishId = (id: string): boolean => {
  const number = id.toUpperCase().replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number.slice(0, 8)) % 23] === number[8];
};

export const isFrenchId = (id: string): boolean => {
  const number = id
    .toUpperCase()
    .replace(/^(.{5})2A/, '$119')
    .replace(/^(.{5})2B/, '$118');
  return /^\d{15}$/.test(number) && 97 - modulo(number.slice(0, 13), 97) === Number(number.slice(13));
};

const oddItalian = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

export const isItalianId = (id: string): boolean => {
  const code = id.toUpperCase();
  const sum = Array.from(code.slice(0, 15)).reduce((total, sign, i) => {
    const value = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    return total + (i % 2 === 0 ? (oddItalian[value] ?? 0) : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === code[15];
};

/** Elfproef. */
export const isDutchId = (id: string): boolean => {
  const sum = weighted(id, [9, 8, 7, 6, 5, 4, 3, 2]) - Number(id[8]);
  return Number(id) > 0 && sum % 11 === 0;
};

/** People born since 2000 have a 2 before their number. */
export const isBelgianId = (id: string): boolean =>
  [id.slice(0, 9), `2${id.slice(0, 9)}`].some((number) => 97 - modulo(number, 97) === Number(id.slice(9)));

export const isPolishId = (id: string): boolean =>
  (10 - (weighted(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(id[10]);

/** EAN-13, as the Swiss social insurance number uses it. */
export const isSwissId = (id: string): boolean =>
  (10 - (weighted(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(id[12]);

/** ISO 7064 MOD 11-10. */
export const isGermanTaxId = (id: string): boolean => {
  const product = digitsOf(id.slice(0, 10)).reduce((rest, digit) => {
    const sum = (digit + rest) % 10 || 10;
    return (sum * 2) % 11;
  }, 10);
  return !id.startsWith('0') && (11 - product) % 10 === Number(id[10]);
};

export const isBrazilianId = (id: string): boolean => {
  const check = (length: number) => {
    const sum = digitsOf(id.slice(0, length)).reduce(
      (total, digit, i) => total + digit * (length + 1 - i),
      0,
    );
    return ((sum * 10) % 11) % 10;
  };
  return !/^(\d)\1*$/.test(id) && check(9) === Number(id[9]) && check(10) === Number(id[10]);
};

export const isFinnishId = (id: string): boolean =>
  '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(id.slice(0, 6) + id.slice(7, 10)) % 31] === id[10]?.toUpperCase();

export const isBritishHealthId = (id: string): boolean => {
  const check = 11 - (weighted(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (check === 11 ? 0 : check) === Number(id[9]);
};

export const isAustralianTaxId = (id: string): boolean =>
  weighted(id, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;

export const isChineseId = (id: string): boolean =>
  '10X98765432'[weighted(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] ===
  id[17]?.toUpperCase();

const dihedral = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const permuted = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Verhoeff's scheme, as the Indian number uses it. */
export const isIndianId = (id: string): boolean => {
  const rest = digitsOf(id)
    .toReversed()
    .reduce((row, digit, i) => Number(dihedral[row]?.[Number(permuted[i % 8]?.[digit])]), 0);
  return rest === 0;
};

/** Control letter of the Mexican CURP: weights 18 to 2 on the place in an alphabet with Ñ. */
export const isMexicanId = (id: string): boolean => {
  const signs = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
  const sum = Array.from(id.toUpperCase().slice(0, 17)).reduce(
    (total, sign, i) => total + signs.indexOf(sign) * (18 - i),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(id[17]);
};

export const isChileanId = (id: string): boolean => {
  const sum = digitsOf(id.slice(0, -1))
    .toReversed()
    .reduce((total, digit, i) => total + digit * (2 + (i % 6)), 0);
  return '0K987654321'[sum % 11] === id.at(-1)?.toUpperCase();
};

export const isArgentineId = (id: string): boolean =>
  (11 - (weighted(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(id[10]);

export const isSpanishSocialId = (id: string): boolean =>
  modulo(id.slice(0, 10), 97) === Number(id.slice(10));

export const isPortugueseTaxId = (id: string): boolean => {
  const check = 11 - (weighted(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (check > 9 ? 0 : check) === Number(id[8]);
};

export const isPortugueseSocialId = (id: string): boolean =>
  9 - (weighted(id, [29, 23, 19, 17, 13, 11, 7, 5, 3, 2]) % 10) === Number(id[10]);
