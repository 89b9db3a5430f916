import { draftRule } from '../src/engine/rules/reading/draft.ts';
for (const t of [
 'No more than $5,000 of refunds per customer per day.',
 'At most 3 GB may be exported a week.',
 'Refunds must not exceed 5000 USD per customer per day in total.',
 'Do not refund more than 500 EUR per customer per month.',
 'Total refunds per customer per day must not exceed $1,000.',
 'Payments over 10,000 EUR in total per week need approval.',
 'Never transfer more than $2,000 a day.',
 'Ask before transfers add up to more than 5000 CHF per month.',
 'No more than 3 GB exported per week.',
 'No more than three refunds per customer per month.',
 'Spend no more than 200 euros per day.',
 'Do not buy more than 20 licences per month.',
 'Never send more than $2,000 in a single transfer.',
 'Refunds over $500 per day need approval by a manager.',
 'Discounts may not exceed 300 EUR per customer per year.',
]) { const d = draftRule(t); console.log(t, '\n   ', d.understood, d.canonical, '\n    unread', d.unread, 'doubts', d.doubts); }
