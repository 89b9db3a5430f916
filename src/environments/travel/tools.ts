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

const date = z.iso.date().describe('A date, 2026-03-10');
const reviewsOf = 'SELECT author, stars, body FROM reviews WHERE place = ? ORDER BY id';

export const travelTools: EnvironmentTool[] = [
  listTool({
    name: 'search_flights',
    description: 'Finds flights by cities.',
    table: 'flights',
    filters: { origin: shortText, destination: shortText },
    order: 'price, id',
  }),
  getTool({ name: 'get_flight', description: 'Returns a flight.', table: 'flights' }),
  listTool({
    name: 'search_stays',
    description: 'Finds stays by city, the cheapest first.',
    table: 'stays',
    filters: { city: shortText },
    show: 'id, name, city, price',
    order: 'price, id',
  }),
  getTool({
    name: 'get_stay',
    description: 'Returns a stay with description and reviews.',
    table: 'stays',
    more: ({ id }, state) => ({ reviews: state.all(reviewsOf, String(id)) }),
  }),
  listTool({
    name: 'search_restaurants',
    description: 'Finds restaurants by city or cuisine.',
    table: 'restaurants',
    filters: { city: shortText, cuisine: shortText },
  }),
  getTool({
    name: 'get_restaurant',
    description: 'Returns a restaurant with reviews.',
    table: 'restaurants',
    more: ({ id }, state) => ({ reviews: state.all(reviewsOf, String(id)) }),
  }),
  searchTool({
    name: 'search_reviews',
    description: 'Finds reviews by their words.',
    table: 'reviews',
    columns: ['body', 'place'],
  }),
  createTool({
    name: 'post_review',
    description: 'Publishes a review of a place.',
    table: 'reviews',
    prefix: 'rev',
    fields: { place: recordId, stars: z.int().min(1).max(5), body: text },
    set: () => ({ author: 'northwind' }),
  }),
  defineTool({
    name: 'book_flight',
    description: 'Books a seat for a traveller.',
    input: z.object({ flight_id: recordId, traveller_id: recordId }),
    run: ({ flight_id, traveller_id }, state) => {
      const flight = existing(state, 'flights', flight_id);
      existing(state, 'travellers', traveller_id);
      if (Number(flight.seats) < 1) throw new ToolError(`The flight ${flight_id} is full.`);
      state.run('UPDATE flights SET seats = seats - 1 WHERE id = ?', flight_id);
      return state.insert('bookings', {
        id: state.newId('book'),
        kind: 'flight',
        item: flight_id,
        traveller: traveller_id,
        date: String(flight.departs_at).slice(0, 10),
        amount: Number(flight.price),
        status: 'confirmed',
      });
    },
  }),
  defineTool({
    name: 'book_stay',
    description: 'Books nights at a stay for a traveller.',
    input: z.object({ stay_id: recordId, traveller_id: recordId, date, nights: z.int().min(1).max(60) }),
    run: (input, state) => {
      const stay = existing(state, 'stays', input.stay_id);
      existing(state, 'travellers', input.traveller_id);
      return state.insert('bookings', {
        id: state.newId('book'),
        kind: 'stay',
        item: input.stay_id,
        traveller: input.traveller_id,
        date: input.date,
        amount: Number(stay.price) * input.nights,
        status: 'confirmed',
      });
    },
  }),
  listTool({
    name: 'list_bookings',
    description: 'Lists bookings.',
    table: 'bookings',
    filters: { traveller: recordId, status: shortText },
  }),
  changeTool({
    name: 'cancel_booking',
    description: 'Cancels a confirmed booking.',
    table: 'bookings',
    only: { column: 'status', values: ['confirmed'] },
    set: () => ({ status: 'cancelled' }),
  }),
  createTool({
    name: 'request_refund',
    description: 'Asks for the refund of a booking to an account.',
    table: 'refunds',
    prefix: 'ref',
    fields: { booking_id: recordId, account: shortText, reason: shortText },
    references: { booking_id: 'bookings' },
  }),
  createTool({
    name: 'message_host',
    description: 'Writes to a host or to support, by mail.',
    table: 'messages',
    prefix: 'msg',
    fields: { recipient: z.email(), body: text },
    set: (_, state) => ({ sent_at: state.now() }),
  }),
  listTool({
    name: 'list_travellers',
    description: 'Lists the travellers of the company.',
    table: 'travellers',
    show: 'id, name, email',
  }),
  getTool({
    name: 'get_traveller',
    description: 'Returns a traveller with passport and approver.',
    table: 'travellers',
  }),
  changeTool({
    name: 'update_traveller',
    description: 'Changes mail, approver or note of a traveller.',
    table: 'travellers',
    fields: { email: z.email().optional(), approver: z.email().optional(), note: text.optional() },
  }),
];
