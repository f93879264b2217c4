import { stopEverything } from './run-resources';

export default async function tearDown(): Promise<void> {
  await stopEverything();
}
