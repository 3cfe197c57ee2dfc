import { expect, it } from 'vitest'
import { StoreAway } from '../../domain/errors.ts'
import { classified } from './file-errors.ts'

const fault = (code: string): Error => Object.assign(new Error(`${code}: it failed, write`), { code })

it.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ESTALE'])('a failure of the file system that may pass (%s) is one of a store that is away', (code) => {
  expect(classified(fault(code))).toEqual(expect.objectContaining({ name: 'StoreAway', message: `${code}: it failed, write` }))
})

it.each(['EACCES', 'ENOENT', 'ENOTDIR'])('a failure of the file system that stays (%s) is left as it is', (code) => {
  const error = fault(code)
  expect(classified(error)).toBe(error)
  expect(classified(error)).not.toBeInstanceOf(StoreAway)
})
