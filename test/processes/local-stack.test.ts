import { Client, Connection } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { identifyProcess, isStillRunning } from '../../src/embedded/process-identity';
import type { Killable } from './killable';
import { openProcessStack, type ProcessStack } from './local-stack';

let stack: ProcessStack;

beforeAll(async () => {
  stack = await openProcessStack({ startAt: Date.parse('2027-01-01T00:00:00.000Z'), speed: 14_400 });
});
afterAll(() => stack.close());

async function killAndStart(server: Killable): Promise<void> {
  const process = identifyProcess(server.pid!)!;
  await server.kill();
  expect(isStillRunning(process)).toBe(false);
  expect(server.pid).toBeNull();
  await server.start();
  expect(server.pid).not.toBe(process.pid);
}

async function query<T>(text: string): Promise<T[]> {
  const client = new Postgres({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

test('data that PostgreSQL has confirmed survives a kill -9, at the same address', async () => {
  await query('create table kept (word text)');
  await query(`insert into kept values ('here')`);
  await killAndStart(stack.postgres);
  expect(await query('select word from kept')).toEqual([{ word: 'here' }]);
});

test('a workflow survives a kill -9 of Temporal, at the same address', async () => {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const client = new Client({ connection });
  await client.workflow.start('nobody', { workflowId: 'kept', taskQueue: 'nobody' });
  await killAndStart(stack.temporal);
  const { status } = await client.workflow.getHandle('kept').describe();
  expect(status.name).toBe('RUNNING');
  await connection.close();
});
