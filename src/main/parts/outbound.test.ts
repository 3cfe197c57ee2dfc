import { expect, it } from 'vitest'
import { loadConfig } from '../settings/config.ts'
import { allowed, operatorEndpoints } from './outbound.ts'

it.each([
  ['postgres://u@db.example/x', [{ host: 'db.example', port: 5432 }]],
  ['postgresql://u:p@[fd00::1]:6432/x', [{ host: 'fd00::1', port: 6432 }]],
  ['postgres://u@shown.example/x?host=db.example&port=6432', [{ host: 'db.example', port: 6432 }]],
  ['postgres:///x', [{ host: 'localhost', port: 5432 }]],
  ['postgres://u:p@/x', [{ host: 'localhost', port: 5432 }]],
  ['postgres:///x?host=/run/postgresql', []],
  ['postgres://%2Frun%2Fpostgresql/x', []],
])('closes the server of the database %s to pages', (TRAWL_DATABASE_URL, closed) => {
  expect(operatorEndpoints(loadConfig({ TRAWL_DATABASE_URL }))).toEqual(closed)
})

it.each([
  ['ws://browsers.example/devtools', { host: 'browsers.example', port: 80 }],
  ['wss://browsers.example/?token=x', { host: 'browsers.example', port: 443 }],
  ['http://[::1]:9222', { host: '::1', port: 9222 }],
  ['https://browsers.example', { host: 'browsers.example', port: 443 }],
])('closes the browser at %s to pages', (TRAWL_CDP_URL, closed) => {
  expect(operatorEndpoints(loadConfig({ TRAWL_CDP_URL }))).toEqual([closed])
})

it.each([
  [['0.0.0.0/0'], true],
  [['10.0.0.0/8', '[::/0]:80'], true],
  [['127.0.0.0/8', '10.0.0.0/08', 'fd00::/100'], false],
  [[], false],
])('a list of addresses that allows all of them is not taken without a warning: %j', (entries, warned) => {
  const said: unknown[] = []
  allowed('TRAWL_ALLOW_PRIVATE_ADDRESSES', entries, (level, event, fields) => void said.push([level, event, fields?.['setting']]))
  expect(said).toEqual(warned ? [['warn', 'every-address-allowed', 'TRAWL_ALLOW_PRIVATE_ADDRESSES']] : [])
})
