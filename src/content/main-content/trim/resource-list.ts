import { urlOf } from '../../../lib/url-of.ts'
import { attribute, type Element, walkElements } from '../../html/tree.ts'

/** Hosts of social networks, where links lead to the profiles of a site. */
const network = /(?:^|\.)(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|reddit|tumblr|whatsapp|threads|bsky|telegram|t|vk|weibo|flickr|snapchat|discord|twitch|xing)\.[a-z]{2,6}$/

/** The last two names of a host: what a site and its other hosts share. */
const siteOf = (host: string): string => host.split('.').slice(-2).join('.')

/** Whether the links of a list all lead to other sites, most of them to no social network: partners, resources. */
export function isResourceList(list: Element, address: string): boolean {
  const own = siteOf(urlOf(address)?.hostname ?? '')
  let others = 0
  let inside = 0
  walkElements(list, (element) => {
    if (element.name !== 'a') return
    const host = urlOf(attribute(element, 'href') ?? '', address)?.hostname ?? ''
    if (host === '' || siteOf(host) === own) inside++
    else others += network.test(host) ? -1 : 1
  })
  return inside === 0 && others > 0
}
