/** The build keeps only the guide's samples of verifying a signature. */
declare module '*/docs/guides/integrate.md' {
  const samples: readonly { readonly language: string; readonly code: string }[];
  export default samples;
}
