import { expect, it } from 'vitest'
import { ServiceError } from '../domain/errors.ts'
import { errorBody } from './errors.ts'

it('lists the problem of every bad request, also where its finder gave no list', () => {
  const message = 'Bad Request: an object of the body has a key twice'
  expect(errorBody(new ServiceError('BAD_REQUEST', message), 'r')).toEqual({ success: false, code: 'BAD_REQUEST', error: message, details: [{ code: 'custom', path: [], message }], requestId: 'r' })
  const details = [{ code: 'too_big', path: ['limit'], message: 'limit: Too big' }]
  expect(errorBody(new ServiceError('BAD_REQUEST', 'x', { details }), 'r')['details']).toBe(details)
  expect(errorBody(new ServiceError('NOT_FOUND'), 'r')).not.toHaveProperty('details')
})
