export { startTracing, type Tracing } from './otlp';
export { traceRequests } from './requests';
export { describeSpan, faultOf, inSpan, inTraceOf, isTraced, openSpan, outsideTrace, type Outcome } from './spans';
export { subjectOf } from './subject';
