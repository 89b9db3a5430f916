import { draftRule } from '../src/engine/rules/reading/draft.ts';
for (const t of ['Do not change prices by more than 10 percent.','Salaries may not be raised by more than 5 %.','Never lower a price by more than 20 percent.', 'Budget changes of more than 15 % need approval.']) { const d = draftRule(t); console.log(t, '\n   ', d.understood, d.canonical); }
