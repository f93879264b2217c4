import { checkCanary } from '../security-campaign/canary';

test('name, address, e-mail, secrets and tokens of a whole life appear nowhere that others can read', async () => {
  const checks = await checkCanary();
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(checks.map(({ name }) => name)).toEqual([
    'canary: log of the worker',
    'canary: log of the API',
    'canary: command line of the worker',
    'canary: command line of the API',
    'canary: all of Temporal',
    'canary: metrics of the worker',
    'canary: metrics of the API',
    'canary: traces',
    'canary: refusals',
    'canary: events that endpoints got',
    'canary: the feed of events',
    'canary: the audit log',
    'canary: each line that the worker logs is an object',
    'canary: each line that the api logs is an object',
  ]);
});
