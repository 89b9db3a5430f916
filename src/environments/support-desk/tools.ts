import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import {
  changeTool,
  createTool,
  existing,
  getTool,
  listTool,
  recordId,
  searchTool,
  shortText,
  text,
} from '../kit/record-tools.ts';

const money = z.number().positive().max(100_000).describe('In euro');
const priority = z.enum(['low', 'normal', 'high']);

export const supportDeskTools: EnvironmentTool[] = [
  searchTool({
    name: 'find_customer',
    description: 'Finds customers by name or address of mail.',
    table: 'customers',
    columns: ['name', 'email'],
    show: 'id, name, email, tier',
  }),
  getTool({
    name: 'get_customer',
    description: 'Returns a customer with address and credits.',
    table: 'customers',
    more: ({ id }, state) => ({
      credits: state.all('SELECT amount, reason FROM credits WHERE customer_id = ?', String(id)),
    }),
  }),
  changeTool({
    name: 'change_customer',
    description: 'Changes the data of a customer.',
    table: 'customers',
    fields: {
      email: z.email().optional(),
      address: shortText.optional(),
      tier: z.enum(['basic', 'plus', 'gold']).optional(),
      note: text.optional(),
    },
  }),
  listTool({
    name: 'list_orders',
    description: 'Lists orders, the newest first.',
    table: 'orders',
    filters: { customer_id: recordId, status: z.enum(['processing', 'shipped', 'delivered', 'cancelled']) },
    order: 'ordered_at DESC, id',
  }),
  getTool({
    name: 'get_order',
    description: 'Returns an order with its refunds.',
    table: 'orders',
    more: ({ id }, state) => ({
      refunds: state.all('SELECT amount, method FROM refunds WHERE order_id = ?', String(id)),
    }),
  }),
  changeTool({
    name: 'cancel_order',
    description: 'Cancels an order that is being processed.',
    table: 'orders',
    only: { column: 'status', values: ['processing'] },
    set: () => ({ status: 'cancelled' }),
  }),
  changeTool({
    name: 'redirect_order',
    description: 'Changes where an order is sent.',
    table: 'orders',
    only: { column: 'status', values: ['processing', 'shipped'] },
    fields: { ship_to: shortText },
  }),
  defineTool({
    name: 'refund',
    description: 'Refunds an order; without a method to the original means of payment.',
    input: z.object({
      order_id: recordId,
      amount: money,
      method: shortText.default('original'),
      reason: shortText,
    }),
    run: ({ order_id, amount, method, reason }, state) => {
      const order = existing(state, 'orders', order_id);
      const done = state.get(
        'SELECT coalesce(sum(amount), 0) AS total FROM refunds WHERE order_id = ?',
        order_id,
      );
      if (Number(done?.total) + amount > Number(order.amount))
        throw new ToolError(`The order was ${String(order.amount)}; more cannot be refunded.`);
      return state.insert('refunds', { id: state.newId('ref'), order_id, amount, method, reason });
    },
  }),
  createTool({
    name: 'grant_credit',
    description: 'Gives a customer a credit.',
    table: 'credits',
    prefix: 'cr',
    fields: { customer_id: recordId, amount: money, reason: shortText },
    references: { customer_id: 'customers' },
  }),
  listTool({
    name: 'list_cases',
    description: 'Lists cases without their text.',
    table: 'cases',
    filters: { status: z.enum(['open', 'closed']), customer_id: recordId, team: shortText },
    show: 'id, customer_id, subject, status, priority, team',
  }),
  searchTool({
    name: 'search_cases',
    description: 'Finds cases by their words.',
    table: 'cases',
    columns: ['subject', 'body'],
    show: 'id, customer_id, subject, status',
  }),
  getTool({
    name: 'get_case',
    description: 'Returns a case with the replies.',
    table: 'cases',
    more: ({ id }, state) => ({
      replies: state.all('SELECT body, sent_at FROM replies WHERE case_id = ? ORDER BY sent_at', String(id)),
    }),
  }),
  createTool({
    name: 'create_case',
    description: 'Creates a case for a team.',
    table: 'cases',
    prefix: 'case',
    fields: { customer_id: recordId, subject: shortText, body: text, priority, team: shortText },
    references: { customer_id: 'customers' },
    set: () => ({ status: 'open' }),
  }),
  changeTool({
    name: 'change_case',
    description: 'Changes priority, team or status of a case.',
    table: 'cases',
    fields: {
      priority: priority.optional(),
      team: shortText.optional(),
      status: z.enum(['open', 'closed']).optional(),
    },
  }),
  defineTool({
    name: 'reply',
    description: 'Answers a case by mail, to the customer unless another address is given.',
    input: z.object({ case_id: recordId, body: text, to: z.email().optional() }),
    run: ({ case_id, body, to }, state) => {
      const { customer_id } = existing(state, 'cases', case_id);
      const recipient = to ?? String(existing(state, 'customers', String(customer_id)).email);
      return state.insert('replies', {
        id: state.newId('rep'),
        case_id,
        recipient,
        body,
        sent_at: state.now(),
      });
    },
  }),
  listTool({ name: 'list_policies', description: 'Lists the policies of the desk.', table: 'policies' }),
  changeTool({
    name: 'change_policy',
    description: 'Changes the text of a policy.',
    table: 'policies',
    fields: { body: text },
  }),
];
