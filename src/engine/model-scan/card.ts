/** The card of a data set: what it holds, and how its replies are judged. */

import type { DataSet } from './case.ts';

/** Markdown. */
export function cardOf({ name, about, licence, subcategories, cases }: DataSet): string {
  const count = (values: readonly string[]) =>
    [...Map.groupBy(values, (value) => value)]
      .map(([value, all]) => `${value} ${all.length}`)
      .sort()
      .join(', ');
  const rows = subcategories.map(({ id, title }) => {
    const own = cases.filter(({ subcategory }) => subcategory === id);
    const references = new Set(
      own.flatMap(({ frameworks }) => frameworks.map((one) => `${one.framework} ${one.id}`)),
    );
    return `| ${title} | ${own.length} | ${count(own.map(({ intent }) => intent))} | ${count(own.map(({ expect }) => expect.kind))} | ${[...references].join(', ')} |`;
  });
  return `# ${name}

${about}

- Cases: ${cases.length}. Licence: ${licence}. Written for this product by hand and from templates over hand-written slots.
- Languages: ${count(cases.map(({ language }) => language))}.
- Severity: ${count(cases.map(({ severity }) => severity))}.

| subcategory | cases | intent | judged by | references |
|---|--:|---|---|---|
${rows.join('\n')}
`;
}
