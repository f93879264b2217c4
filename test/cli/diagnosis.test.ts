import { loadConfig } from '../../src/config';
import { createClock } from '../../src/platform/clock';
import { diagnoseInstallation } from '../../src/process/diagnosis/installation';
import { useLedger } from '../ledger/ledger-fixture';

const ledger = useLedger();

test('a busiest day that cannot be read hides no other finding', async () => {
  await ledger.pool.query('alter table cycles rename to cycles_elsewhere');
  const config = { ...loadConfig({}), DATABASE_URL: ledger.url, PAYMENT_SERVICE_MAX_RPS: 5 };
  const findings = await diagnoseInstallation(config, createClock(null));
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'ledger' }),
      expect.objectContaining({ check: 'busiest day', state: 'warning', found: expect.stringContaining('cycles') }),
    ]),
  );
}, 60_000);
