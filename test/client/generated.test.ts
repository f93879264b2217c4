import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from '../../src/client';
import { API_COMMANDS, CONSOLE_ONLY, OTHER_COMMANDS } from '../../src/cli/api/commands';
import { formatted } from '../support/formatted';
import { commandsPage } from './commands-page';
import { describeAdminApi } from './description';
import { clientSources } from './sources';

test('the client is what `npm run client` generates from the current API', async () => {
  const sources = await clientSources(await describeAdminApi());
  for (const [file, text] of Object.entries(sources))
    expect({ file, isCurrent: readFileSync(join(__dirname, '../../src/client', file), 'utf8') === text }).toEqual({
      file,
      isCurrent: true,
    });
});

test('docs/reference/commands.md is the help of the current commands', async () => {
  const page = await formatted('commands.md', commandsPage());
  expect(readFileSync(join(__dirname, '../../docs/reference/commands.md'), 'utf8')).toBe(page);
});

test('every operation of the API has one command, except those that only a browser uses', () => {
  const commanded = [...Object.values(API_COMMANDS).map(({ operation }) => operation), ...Object.keys(OTHER_COMMANDS)];
  expect([...commanded, ...CONSOLE_ONLY].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
});

test('commands that move or stop money ask for confirmation first', () => {
  const unasked = Object.entries(API_COMMANDS).filter(([, command]) => !('asks' in command));
  const writes = unasked.filter(([, { operation }]) => OPERATIONS[operation].method !== 'get').map(([words]) => words);
  expect(writes.toSorted()).toEqual([
    'approvals reject',
    'attention assign',
    'attention close',
    'attention note',
    'cycles payment-link',
    'cycles postpone',
    'endpoints change',
    'endpoints create',
    'endpoints delete',
    'endpoints rotate-secret',
    'events replay',
    'events resend',
    'jobs stop',
    'notices resend',
    'payers change',
    'payments change',
    'payments consent-check',
    'payments create',
    'reports reconcile',
    'subscriptions acknowledge',
    'subscriptions change',
    'subscriptions consent-check',
    'subscriptions create',
  ]);
});
