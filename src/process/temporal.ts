import { type WorkflowClientInterceptor, Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow';
import type { DataConverter } from '@temporalio/common';
import { type Config, needed } from '../config';
import { SEARCH_ATTRIBUTES } from '../contract/workflows';
import { type ClockSetting, scaledTimeout, SECOND } from '../domain/time';
import { bindCalls } from '../platform/payload-binding';
import { createPayloadEncryption, forWorkers } from '../platform/payload-encryption';
import { usesTls } from '../config/production-profile';
import { traceCalls } from '../platform/tracing/temporal';

/** Temporal's own: so long it waits for the worker that took a workflow's task, before another one may. Real ms. */
const TASK_PATIENCE = 10 * SECOND;

/**
 * What a client starts on a test clock that runs ahead is not kept waiting by a worker that died with its task: see
 * {@link scaledTimeout}. A workflow that continues as new keeps what it was started with.
 */
export function scaledTaskTimeouts(setting: ClockSetting): WorkflowClientInterceptor {
  const workflowTaskTimeout = msToTs(scaledTimeout(setting, TASK_PATIENCE));
  return {
    startWithDetails: (input, next) => next({ ...input, options: { ...input.options, workflowTaskTimeout } }),
    startUpdateWithStart: (input, next) =>
      next({ ...input, workflowStartOptions: { ...input.workflowStartOptions, workflowTaskTimeout } }),
  };
}

/** How the cluster is reached, for the client's connection and the worker's alike. */
export interface TemporalAccess {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls?: TLSConfig;
}

export function temporalAccess(config: Config): TemporalAccess {
  const { TEMPORAL_API_KEY: apiKey } = config;
  return {
    address: needed(config.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS'),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(usesTls(config) ? { tls: tlsOf(config) } : {}),
  };
}

function tlsOf(config: Config): TLSConfig {
  const {
    TEMPORAL_TLS_CA: ca,
    TEMPORAL_TLS_CERT: cert,
    TEMPORAL_TLS_KEY: key,
    TEMPORAL_TLS_SERVER_NAME: name,
  } = config;
  return {
    ...(ca === undefined ? {} : { serverRootCACertificate: Buffer.from(ca) }),
    ...(name === undefined ? {} : { serverNameOverride: name }),
    ...(cert === undefined || key === undefined
      ? {}
      : { clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } }),
  };
}

/** How payloads are written to Temporal: encrypted, where keys are configured. */
function clientConverter(config: Config): DataConverter {
  const codec = payloadCodec(config);
  return codec === undefined ? {} : { payloadCodecs: [codec] };
}

/** The same for a worker, which no payload that a stranger sends can stop. */
export function workerConverter(config: Config): DataConverter {
  return { payloadCodecs: [forWorkers(payloadCodec(config))] };
}

function payloadCodec({ PAYLOAD_ENCRYPTION_KEYS: keys, PAYLOAD_PLAIN_ALLOWED: plainAllowed }: Config) {
  return keys === undefined ? undefined : createPayloadEncryption(keys, { plainAllowed });
}

export interface TemporalConnection {
  readonly client: Client;
  /** To be closed by the caller. */
  readonly connection: Connection;
}

/**
 * Real ms between two tries to reach a cluster that is away. gRPC's own is two minutes, which people would wait after a cluster
 * that was away for some is back; what the client's calls try again by themselves must see it in between.
 */
const LONGEST_RECONNECT_WAIT = 5 * SECOND;

export async function connectTemporal(config: Config): Promise<TemporalConnection> {
  const connection = await Connection.connect({
    ...temporalAccess(config),
    channelArgs: { 'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_WAIT },
  });
  const scaled = config.TEST_CLOCK === undefined ? [] : [scaledTaskTimeouts(config.TEST_CLOCK)];
  const bound = config.PAYLOAD_ENCRYPTION_KEYS === undefined ? [] : [bindCalls];
  return {
    connection,
    client: new Client({
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      dataConverter: clientConverter(config),
      interceptors: { workflow: [traceCalls, ...scaled, ...bound] },
    }),
  };
}

/** Does what needs Temporal over a connection for this work alone. */
export async function withTemporal<T>(config: Config, work: (opened: TemporalConnection) => Promise<T>): Promise<T> {
  const opened = await connectTemporal(config);
  try {
    return await work(opened);
  } finally {
    await opened.connection.close();
  }
}

/**
 * gRPC's own numbers. Already there; or not ours to register: Temporal Cloud and clusters with roles want it done by an
 * administrator, see docs/configuration.md.
 */
const LEFT_AS_IT_IS: ReadonlySet<number> = new Set([6, 7, 12]);
/** Temporal's number for the type Keyword. */
const KEYWORD = 2;

/** Registers the search attributes of subscriptions; those that are there already stay as they are. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if (!isGrpcServiceError(error) || !LEFT_AS_IT_IS.has(error.code)) throw error;
  }
}
