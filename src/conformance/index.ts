export { checkToken, type World } from './world';
export { createControlledWorld, isControlled } from './controlled-world';
export { type Credentials, Merchant, type MerchantTerms, type ServiceAddress } from './merchant';
export { createOperatedWorld, type Operator } from './operated-world';
export type { Row } from './row';
export { asJson, inLines, inNumbers, masked } from './report';
export { chooseRows, type Finding, playRows, ROWS } from './suite';
