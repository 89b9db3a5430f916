import { measures } from './contract/measures.ts';

const sourcesByMeasure = `(values ${Object.entries(measures)
  .map(([name, { source }]) => `('${name}', '${source}')`)
  .join(', ')}) as m (measure, source)`;

/** The column `subjectName` of a query on rules or incidents, whose table has the alias `of`. */
export const subjectName = (of: 'r' | 'i') => `(select s.name from ${sourcesByMeasure}
    join alerts.subjects s on s.source = m.source
    where m.measure = ${of}.measure and s.tenant_id = ${of}.tenant_id and s.subject = ${of}.subject) as "subjectName"`;
