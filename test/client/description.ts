import { Registry } from 'prom-client';
import { withUnconnectedAdmin } from './unconnected-admin';

/** The admin API's own description, as `GET /openapi.json` gives it. */
export function describeAdminApi(): Promise<object> {
  return withUnconnectedAdmin(new Registry(), async (app) =>
    (await app.inject({ method: 'GET', url: '/openapi.json' })).json<object>(),
  );
}
