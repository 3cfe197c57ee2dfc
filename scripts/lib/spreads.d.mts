export declare function filled(code: string): string
