// What tests know of cli-bundle.mjs.
export declare function bundleCli(outfile: string): Promise<void>
