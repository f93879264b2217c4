import type { PoolClient } from 'pg';
import type { Pool } from '../../src/ledger';

/** What a piece of work costs in messages to PostgreSQL. */
export interface MessageCounts {
  /** Each is one write to the connection; its answer is awaited before the next message is sent. */
  readonly messages: number;
  /** Transactions that wrote. */
  readonly commits: number;
  /** New connections. */
  readonly connections: number;
  /** The texts of the messages, in order. */
  readonly texts: readonly string[];
}

/** Counts what a pool sends. Connections that were opened before are not counted. */
export class MessageCounter {
  private texts: string[] = [];
  private connections = 0;
  private commits = 0;

  constructor(pool: Pool) {
    pool.on('connect', (client) => this.watch(client));
  }

  private watch(client: PoolClient): void {
    this.connections += 1;
    let isOpen = false;
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    client.query = ((...args: readonly unknown[]) => {
      const text = textOf(args[0]);
      this.texts.push(text);
      if (text === 'commit' || (!isOpen && writes(text))) this.commits += 1;
      if (text.startsWith('begin')) isOpen = true;
      if (text === 'commit' || text === 'rollback') isOpen = false;
      return query(...args);
    }) as PoolClient['query'];
  }

  /** What has been counted since the last call. */
  take(): MessageCounts {
    const { texts, connections, commits } = this;
    this.texts = [];
    this.connections = 0;
    this.commits = 0;
    return { messages: texts.length, commits, connections, texts };
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return (query as { readonly text?: string }).text ?? '';
}

function writes(text: string): boolean {
  return /\b(insert into|delete from|update \w+ set|begin_send|record_\w+|write_steps)\b/.test(text);
}
