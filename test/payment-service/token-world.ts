import type { ServiceResult } from '../../src/payment-service';
import { type ClientUnderTest, createClient, failure, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

/** A client, and a service that answers it as a script says. */
export interface TokenWorld {
  server: ScriptedServer;
  client: ClientUnderTest;
  /** Makes the service honour only this token. */
  honouring(token: string): void;
  fiftyCalls(): Promise<ServiceResult<unknown>[]>;
}

/** Created for each test of the file; every token is accepted unless a test says otherwise. */
export function useTokenWorld(): TokenWorld {
  const world = {
    honouring(token) {
      world.server.answer((request, response) => {
        if (request.headers.authorization === `Bearer ${token}`) json(response, 200, wire.consent);
        else json(response, 401, failure('UNAUTHENTICATED'));
      });
    },
    fiftyCalls: () => Promise.all(Array.from({ length: 50 }, () => world.client.service.getConsent('pay-1'))),
  } as TokenWorld;
  beforeEach(async () => {
    world.server = await startScriptedServer();
    world.client = createClient(world.server.url);
    world.server.answer((_request, response) => json(response, 200, wire.consent));
  });
  afterEach(async () => {
    await world.client.service.close();
    await world.server.close();
  });
  return world;
}
