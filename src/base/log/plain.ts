/** Text of users, agents and servers as a terminal may have it, in one line: what it would obey is shown, not sent. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    // oxlint-disable-next-line no-control-regex -- that is what is looked for.
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');
