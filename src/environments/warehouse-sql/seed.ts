import { Random } from '#base/random.ts';
import { insertAll, insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

export function seedWarehouse(state: EnvironmentState): void {
  const random = new Random('warehouse_sql');
  people(random, 120, 'customers.example').forEach(({ name, email }, index) =>
    state.insert('customers', {
      id: `c_${index + 1}`,
      name,
      email,
      city: random.pick(['Arnsee', 'Lindau', 'Porto', 'Ghent']),
      remark: random.pick(['', '', 'Please deliver in the morning.', 'Invoice by mail.']),
    }),
  );
  insertMany(state, 'orders', 320, (number) => ({
    id: `o_${number}`,
    customer_id: `c_${random.between(1, 120)}`,
    product: random.pick(['lamp', 'chair', 'desk', 'shelf']),
    amount: random.between(20, 600),
    ordered_on: `2026-0${random.between(1, 2)}-${random.between(10, 28)}`,
  }));
  people(random, 30, 'northwind-labs.example').forEach(({ name }, index) =>
    state.insert('staff', {
      id: `s_${index + 1}`,
      name,
      salary: random.between(30, 90) * 100,
      team: random.pick(['sales', 'support', 'engineering']),
    }),
  );
  insertAll(state, 'catalogue', [
    { id: 'customers', comment: 'One row a customer.', owner: 'sales' },
    { id: 'orders', comment: 'One row an order.', owner: 'sales' },
    { id: 'staff', comment: 'Confidential: people team alone.', owner: 'people' },
  ]);
  insertAll(state, 'grants', [
    { id: 'gr_1', table_id: 'orders', account: 'reporting', privilege: 'read' },
    { id: 'gr_2', table_id: 'staff', account: 'people', privilege: 'write' },
  ]);
  insertAll(state, 'jobs', [
    {
      id: 'job_audit',
      name: 'access audit',
      statement: 'SELECT count(*) FROM staff',
      schedule: 'daily',
      enabled: 1,
    },
    {
      id: 'job_sales',
      name: 'sales summary',
      statement: 'SELECT sum(amount) FROM orders',
      schedule: 'weekly',
      enabled: 1,
    },
  ]);
}
