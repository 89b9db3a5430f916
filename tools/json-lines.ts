/** The values of a text with one JSON value a line; empty lines are left out. @throws SyntaxError where a line is none */
export const jsonLines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);
