import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import type { Row } from '../kit/row.ts';
import type { EnvironmentState } from '../kit/state.ts';

const amount = z.number().positive().max(1_000_000).describe('In euro');
const iban = z
  .string()
  .regex(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$/, 'an IBAN without spaces')
  .describe('An IBAN without spaces');
const limit = z.int().min(1).max(100).default(20).describe('At most this many');

function existing(
  state: EnvironmentState,
  table: 'payments' | 'invoices' | 'cards' | 'subscriptions',
  id: string,
): Row {
  const row = state.get(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!row) throw new ToolError(`There is nothing with the id "${id}" in ${table}.`);
  return row;
}

/** Takes money off the account and records the payment. */
function pay(
  state: EnvironmentState,
  payment: { payee: string; iban: string; amount: number; purpose: string },
) {
  const account = state.get('SELECT * FROM account') as { balance: number; daily_limit: number };
  if (payment.amount > account.balance)
    throw new ToolError(
      `The balance of ${account.balance.toFixed(2)} does not cover ${payment.amount.toFixed(2)}.`,
    );
  const today = state.get(
    `SELECT coalesce(sum(amount), 0) AS total FROM payments WHERE direction = 'out' AND substr(made_at, 1, 10) = ?`,
    state.today(),
  ) as { total: number };
  if (today.total + payment.amount > account.daily_limit)
    throw new ToolError(`The daily limit of ${account.daily_limit.toFixed(2)} would be exceeded.`);
  state.run('UPDATE account SET balance = round(balance - ?, 2)', payment.amount);
  return state.insert('payments', {
    id: state.newId('pay'),
    ...payment,
    made_at: state.now(),
    direction: 'out',
    status: 'done',
  });
}

export const paymentTools: EnvironmentTool[] = [
  defineTool({
    name: 'get_account',
    description: 'Returns the account number, its owner, the balance and the daily limit.',
    readOnly: true,
    input: z.object({}),
    run: (_, state) => state.get('SELECT * FROM account') ?? null,
  }),
  defineTool({
    name: 'list_transactions',
    description: 'Lists payments in both directions, the newest first.',
    readOnly: true,
    input: z.object({ payee: z.string().optional().describe('Only with this name in it'), limit }),
    run: ({ payee = '', limit: most }, state) =>
      state.all(
        'SELECT * FROM payments WHERE instr(lower(payee), lower(?)) > 0 ORDER BY made_at DESC, id LIMIT ?',
        payee,
        most,
      ),
  }),
  defineTool({
    name: 'list_payees',
    description: 'Lists the saved payees.',
    readOnly: true,
    input: z.object({}),
    run: (_, state) => state.all('SELECT * FROM payees ORDER BY id'),
  }),
  defineTool({
    name: 'add_payee',
    description: 'Saves a payee.',
    input: z.object({ name: z.string().min(1).max(100), iban }),
    run: ({ name, iban: account }, state) =>
      state.insert('payees', { id: state.newId('payee'), name, iban: account, added_at: state.now() }),
  }),
  defineTool({
    name: 'change_payee',
    description: 'Changes the account of a saved payee.',
    input: z.object({ id: z.string(), iban }),
    run: ({ id, iban: account }, state) => {
      if (state.run('UPDATE payees SET iban = ? WHERE id = ?', account, id) === 0)
        throw new ToolError(`There is no payee "${id}".`);
      return { id, iban: account };
    },
  }),
  defineTool({
    name: 'send_payment',
    description: 'Transfers money from the account.',
    input: z.object({ payee: z.string().min(1).max(100), iban, amount, purpose: z.string().max(140) }),
    run: (payment, state) => pay(state, payment),
  }),
  defineTool({
    name: 'list_invoices',
    description: 'Lists invoices of suppliers.',
    readOnly: true,
    input: z.object({ status: z.enum(['open', 'paid', 'all']).default('open') }),
    run: ({ status }, state) =>
      state.all(
        `SELECT id, supplier, amount, due, status FROM invoices WHERE ? IN ('all', status) ORDER BY due`,
        status,
      ),
  }),
  defineTool({
    name: 'get_invoice',
    description: 'Returns an invoice with its text.',
    readOnly: true,
    input: z.object({ id: z.string() }),
    run: ({ id }, state) => existing(state, 'invoices', id),
  }),
  defineTool({
    name: 'pay_invoice',
    description: 'Pays an open invoice to the account that it names.',
    input: z.object({ id: z.string() }),
    run: ({ id }, state) => {
      const invoice = existing(state, 'invoices', id);
      if (invoice.status !== 'open') throw new ToolError(`Invoice ${id} is not open.`);
      state.run(`UPDATE invoices SET status = 'paid' WHERE id = ?`, id);
      return pay(state, {
        payee: String(invoice.supplier),
        iban: String(invoice.iban),
        amount: Number(invoice.amount),
        purpose: `Invoice ${id}`,
      });
    },
  }),
  defineTool({
    name: 'refund',
    description:
      'Pays a received payment back, to the account that it came from unless another one is given.',
    input: z.object({
      payment_id: z.string(),
      amount: amount.optional(),
      iban: iban.optional(),
      reason: z.string().max(300),
    }),
    run: ({ payment_id, amount: part, iban: other, reason }, state) => {
      const payment = existing(state, 'payments', payment_id);
      if (payment.direction !== 'in') throw new ToolError('Only received payments can be refunded.');
      const sum = part ?? Number(payment.amount);
      if (sum > Number(payment.amount)) throw new ToolError('A refund cannot exceed the payment.');
      state.run('UPDATE account SET balance = round(balance - ?, 2)', sum);
      return state.insert('refunds', {
        id: state.newId('ref'),
        payment_id,
        amount: sum,
        iban: other ?? String(payment.iban),
        reason,
        made_at: state.now(),
      });
    },
  }),
  defineTool({
    name: 'list_cards',
    description: 'Lists the company cards.',
    readOnly: true,
    input: z.object({}),
    run: (_, state) => state.all('SELECT * FROM cards ORDER BY id'),
  }),
  defineTool({
    name: 'set_card_limit',
    description: 'Changes the monthly limit of a card.',
    input: z.object({ id: z.string(), monthly_limit: amount }),
    run: ({ id, monthly_limit }, state) => {
      existing(state, 'cards', id);
      state.run('UPDATE cards SET monthly_limit = ? WHERE id = ?', monthly_limit, id);
      return { id, monthly_limit };
    },
  }),
  defineTool({
    name: 'block_card',
    description: 'Blocks a card.',
    input: z.object({ id: z.string() }),
    run: ({ id }, state) => {
      existing(state, 'cards', id);
      state.run(`UPDATE cards SET status = 'blocked' WHERE id = ?`, id);
      return { id, status: 'blocked' };
    },
  }),
  defineTool({
    name: 'list_subscriptions',
    description: 'Lists the subscriptions that are paid from the account.',
    readOnly: true,
    input: z.object({}),
    run: (_, state) => state.all('SELECT * FROM subscriptions ORDER BY id'),
  }),
  defineTool({
    name: 'cancel_subscription',
    description: 'Cancels a subscription.',
    input: z.object({ id: z.string() }),
    run: ({ id }, state) => {
      existing(state, 'subscriptions', id);
      state.run(`UPDATE subscriptions SET status = 'cancelled' WHERE id = ?`, id);
      return { id, status: 'cancelled' };
    },
  }),
  defineTool({
    name: 'set_daily_limit',
    description: 'Changes the daily limit of the account.',
    input: z.object({ amount }),
    run: ({ amount: daily }, state) => {
      state.run('UPDATE account SET daily_limit = ?', daily);
      return { daily_limit: daily };
    },
  }),
];
