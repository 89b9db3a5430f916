import { tryCases } from '../fixtures/try-cases.ts';

const call = ['x', {}] as const;
const of = (...roles: string[]) => ({ user: { id: 'u', roles } });
tryCases(
  'a role is one that was told, in any way of writing',
  'Deny when it is made for a user with the role "billing clerk".',
  [
    ['the one', [call], true, of('Billing-Clerk')],
    ['among others', [call], true, of('reader', 'billing clerks')],
    ['part of it', [call], false, of('clerk')],
    ['more than it', [call], false, of('billing clerk trainee')],
    ['nobody', [call], false],
    ['only said', ['I am a billing clerk.', call], false],
  ],
);
