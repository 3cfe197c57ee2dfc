/** What the operator can do about an error of the system that stands between the service and its data. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: 'make it the property of the user that runs this, or name another one',
  EPERM: 'make it the property of the user that runs this, or name another one',
  EROFS: 'name one on a disk that can be written',
  EEXIST: 'name a folder, or a place where one can be made',
  ENOTDIR: 'name a folder, or a place where one can be made',
  ECONNREFUSED: 'start Postgres there, or correct the address',
  ENOTFOUND: 'correct the address, and write special characters of the password percent-encoded',
}

/** The message of an error, and what to do about it where that is known; without a full stop. */
export function withRemedy({ message }: Error): string {
  // Node names the code in each such message; an error of ours that stands for one has its message only.
  const remedy = remedies[/\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? '']
  return remedy === undefined ? message : `${message}; ${remedy}`
}
