/** Whether the folder's `node_modules` contains what its `package-lock.json` names. */
export function installed(folder: string): boolean
