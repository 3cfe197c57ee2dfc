/** Whether `node_modules` of the folder holds what its `package-lock.json` names. */
export function installed(folder: string): boolean
