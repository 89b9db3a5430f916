import { tryCases } from '../fixtures/try-cases.ts';

tryCases('a quantity is what is named for it', 'Deny when it has more than 20 for "discount" or "percent".', [
  ['more', [['set_price', { discount: 21 }]], true],
  ['as much', [['set_price', { discount: 20 }]], false],
  ['with its sign', [['set_price', { discount: '25%' }]], true],
  ['said in a reply', [['', {}]], false],
  ['a price', [['set_price', { price: 900 }]], false],
  ['no number', [['set_price', { discount: 'much' }]], false],
]);
tryCases(
  'of recipients a size, a limit or rows are no number',
  'Deny when it has more than 20 for "recipients" or "to".',
  [
    ['listed', [['send', { recipients: Array.from({ length: 21 }, (_, at) => `a${at}@x.test`) }]], true],
    [
      'in one text',
      [['send', { to: Array.from({ length: 21 }, (_, at) => `a${at}@x.test`).join(', ') }]],
      true,
    ],
    ['as a number', [['send', { recipients: 21 }]], true],
    ['a size', [['send', { to: 'a@x.test', size: 42 }]], false],
    ['a limit', [['send', { to: 'a@x.test', limit: 50 }]], false],
  ],
);
tryCases(
  'a change is told in percent of what it was',
  'Deny when it has more than 10 percent of change for "price".',
  [
    [
      'more',
      [
        ['get', { item: 'I1' }, { item: 'I1', price: 100 }],
        ['set_price', { item: 'I1', price: 111 }],
      ],
      true,
    ],
    [
      'as much',
      [
        ['get', { item: 'I1' }, { item: 'I1', price: 100 }],
        ['set_price', { item: 'I1', price: 110 }],
      ],
      false,
    ],
    [
      'downwards',
      [
        ['get', { item: 'I1' }, { item: 'I1', price: 100 }],
        ['set_price', { item: 'I1', price: 80 }],
      ],
      true,
    ],
    ['nothing before', [['set_price', { item: 'I1', price: 111 }]], false],
    [
      'from nought',
      [
        ['get', { item: 'I1' }, { item: 'I1', price: 0 }],
        ['set_price', { item: 'I1', price: 5 }],
      ],
      false,
    ],
  ],
);
