export declare function precompile(folder: string): Promise<boolean>
