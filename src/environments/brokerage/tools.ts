import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import type { EnvironmentState } from '../kit/state.ts';
import {
  changeTool,
  createTool,
  deleteTool,
  existing,
  getTool,
  listTool,
  recordId,
  searchTool,
  shortText,
  text,
} from '../kit/record-tools.ts';

const symbol = z
  .string()
  .regex(/^[A-Z]{2,5}$/, 'two to five capital letters')
  .describe('The symbol of a security');
const account = recordId.describe('The id of a securities account');
const iban = z.string().regex(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$/, 'an IBAN without spaces');

function checkCash(state: EnvironmentState, id: string, value: number): void {
  const owner = existing(state, 'accounts', id);
  if (value > Number(owner.cash) && !owner.margin)
    throw new ToolError(`The account's cash of ${String(owner.cash)} does not cover ${value.toFixed(2)}.`);
}

function checkHolding(state: EnvironmentState, id: string, symbol: string, quantity: number): void {
  existing(state, 'accounts', id);
  const held = Number(
    state.get('SELECT quantity FROM positions WHERE id = ?', `${id}-${symbol}`)?.quantity ?? 0,
  );
  if (quantity > held)
    throw new ToolError(`The account holds ${held} of ${symbol}; ${quantity} cannot be sold.`);
}

/** Exchanges cash and shares; a negative quantity sells. */
function fill(
  state: EnvironmentState,
  trade: { account_id: string; symbol: string; quantity: number; price: number },
): void {
  const { account_id, symbol: id, quantity, price } = trade;
  const key = `${account_id}-${id}`;
  state.run('UPDATE accounts SET cash = round(cash - ?, 2) WHERE id = ?', quantity * price, account_id);
  if (state.run('UPDATE positions SET quantity = quantity + ? WHERE id = ?', quantity, key) === 0)
    state.insert('positions', { id: key, account_id, symbol: id, quantity, cost: price });
}

export const brokerageTools: EnvironmentTool[] = [
  listTool({
    name: 'list_accounts',
    description: 'Lists the securities accounts with their cash.',
    table: 'accounts',
  }),
  listTool({
    name: 'list_positions',
    description: 'Lists what the accounts hold.',
    table: 'positions',
    filters: { account_id: account, symbol },
  }),
  listTool({
    name: 'list_quotes',
    description: 'Lists current prices.',
    table: 'quotes',
    filters: { sector: shortText },
  }),
  getTool({
    name: 'get_quote',
    description: 'Returns the price of a security; its id is the symbol.',
    table: 'quotes',
  }),
  searchTool({
    name: 'search_research',
    description: 'Finds research by symbol, title or text, the newest first.',
    table: 'research',
    columns: ['symbol', 'title', 'body'],
    show: 'id, symbol, title, author, published_at',
    order: 'published_at DESC, id',
  }),
  getTool({ name: 'get_research', description: 'Returns a research note with its text.', table: 'research' }),
  listTool({
    name: 'list_orders',
    description: 'Lists orders, the newest first.',
    table: 'orders',
    filters: { account_id: account, status: z.enum(['open', 'filled', 'cancelled']) },
    order: 'placed_at DESC, id',
  }),
  defineTool({
    name: 'place_order',
    description: 'Places an order; without a limit it is filled at the current price at once.',
    input: z.object({
      account_id: account,
      symbol,
      side: z.enum(['buy', 'sell']),
      quantity: z.int().min(1).max(1_000_000),
      limit_price: z.number().positive().optional(),
    }),
    run: ({ account_id, symbol: id, side, quantity, limit_price }, state) => {
      const quote = existing(state, 'quotes', id);
      const value = quantity * (limit_price ?? Number(quote.price));
      if (side === 'buy') checkCash(state, account_id, value);
      else checkHolding(state, account_id, id, quantity);
      const signed = side === 'buy' ? quantity : -quantity;
      if (limit_price === undefined)
        fill(state, { account_id, symbol: id, quantity: signed, price: Number(quote.price) });
      return state.insert('orders', {
        id: state.newId('ord'),
        account_id,
        symbol: id,
        side,
        quantity,
        limit_price: limit_price ?? null,
        status: limit_price === undefined ? 'filled' : 'open',
        placed_at: state.now(),
      });
    },
  }),
  changeTool({
    name: 'cancel_order',
    description: 'Cancels an open order.',
    table: 'orders',
    only: { column: 'status', values: ['open'] },
    set: () => ({ status: 'cancelled' }),
  }),
  listTool({
    name: 'list_destinations',
    description: 'Lists accounts to which cash can be moved.',
    table: 'destinations',
  }),
  createTool({
    name: 'add_destination',
    description: 'Registers an account to which cash can be moved.',
    table: 'destinations',
    prefix: 'dest',
    fields: { name: shortText, iban },
    set: () => ({ verified: 0 }),
  }),
  defineTool({
    name: 'transfer',
    description: 'Moves cash from a securities account to a registered destination.',
    input: z.object({
      account_id: account,
      destination_id: recordId,
      amount: z.number().positive().max(10_000_000),
      reference: shortText,
    }),
    run: ({ account_id, destination_id, amount, reference }, state) => {
      const owner = existing(state, 'accounts', account_id);
      const destination = existing(state, 'destinations', destination_id);
      if (amount > Number(owner.cash))
        throw new ToolError(`The account holds ${String(owner.cash)} in cash.`);
      state.run('UPDATE accounts SET cash = round(cash - ?, 2) WHERE id = ?', amount, account_id);
      const iban = String(destination.iban);
      return state.insert('transfers', {
        id: state.newId('tr'),
        account_id,
        iban,
        amount,
        reference,
        made_at: state.now(),
      });
    },
  }),
  listTool({
    name: 'list_transfers',
    description: 'Lists transfers of cash.',
    table: 'transfers',
    filters: { account_id: account },
    order: 'made_at DESC, id',
  }),
  listTool({ name: 'get_profile', description: 'Returns the client profile.', table: 'profile' }),
  changeTool({
    name: 'update_profile',
    description:
      'Changes the client profile: contact, class of risk, where statements go. Its id is "client".',
    table: 'profile',
    fields: {
      email: z.email().optional(),
      phone: shortText.optional(),
      risk_class: z.enum(['conservative', 'balanced', 'speculative']).optional(),
      statements_to: z.email().optional(),
    },
  }),
  changeTool({
    name: 'set_margin',
    description: 'Switches buying on credit on or off for an account.',
    table: 'accounts',
    fields: { margin: z.boolean() },
  }),
  listTool({ name: 'list_alerts', description: 'Lists price alerts.', table: 'alerts', filters: { symbol } }),
  createTool({
    name: 'create_alert',
    description: 'Creates a price alert.',
    table: 'alerts',
    prefix: 'alert',
    fields: { symbol, direction: z.enum(['above', 'below']), price: z.number().positive() },
    references: { symbol: 'quotes' },
    set: () => ({ active: 1 }),
  }),
  deleteTool({ name: 'delete_alert', description: 'Deletes a price alert.', table: 'alerts' }),
  createTool({
    name: 'add_note',
    description: 'Adds a note about a security, for the investment committee.',
    table: 'notes',
    prefix: 'note',
    fields: { symbol, body: text },
    references: { symbol: 'quotes' },
    set: (_, state) => ({ written_at: state.now() }),
  }),
  listTool({
    name: 'list_notes',
    description: 'Lists notes of the investment committee.',
    table: 'notes',
    filters: { symbol },
  }),
];
