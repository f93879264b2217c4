/** The reference's worker. Like dueday's, it is configured by environment variables. Prints `worker started` once it polls. */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Pool } from 'pg';
import { createBareActivities } from './activities';
import { createCalls } from './calls';

const { TEMPORAL_ADDRESS: address = '', DATABASE_URL: connectionString = '', SERVICE_URL: service = '' } = process.env;

async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: ['SIGTERM'] });
  const connection = await NativeConnection.connect({ address });
  const db = new Pool({ connectionString, max: Number(process.env['DATABASE_POOL_SIZE']) });
  const worker = await Worker.create({
    connection,
    taskQueue: 'bare',
    workflowsPath: require.resolve('./workflows'),
    activities: createBareActivities(db, createCalls(service)),
    maxCachedWorkflows: Number(process.env['WORKFLOW_CACHE_SIZE']),
    maxConcurrentActivityTaskExecutions: Number(process.env['ACTIVITY_SLOTS']),
    shutdownGraceTime: '2 seconds',
  });
  process.stdout.write('worker started\n');
  await worker.run();
  await db.end();
  process.exit(0);
}

void main();
