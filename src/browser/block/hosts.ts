import { urlOf } from '../../lib/url-of.ts'

/**
 * Hosts, with their subdomains, that serve advertisements, tracking or chat windows, and nothing that a page's content
 * needs. Compiled by us from the integration manuals of those services.
 */
const list = `
  doubleclick.net googlesyndication.com googletagmanager.com google-analytics.com googleadservices.com googletagservices.com adservice.google.com
  analytics.google.com pagead2.googlesyndication.com connect.facebook.net analytics.twitter.com ads-twitter.com static.ads-twitter.com
  bat.bing.com clarity.ms snap.licdn.com px.ads.linkedin.com analytics.tiktok.com ads.tiktok.com tr.snapchat.com sc-static.net ct.pinterest.com
  ads.pinterest.com events.reddit.com alb.reddit.com amazon-adsystem.com adsystem.amazon.com criteo.com criteo.net taboola.com outbrain.com
  outbrainimg.com revcontent.com mgid.com zemanta.com teads.tv adnxs.com adnxs-simple.com rubiconproject.com pubmatic.com openx.net casalemedia.com
  indexww.com adform.net adsrvr.org smartadserver.com sascdn.com yieldlab.net yieldmo.com sharethrough.com triplelift.com 3lift.com gumgum.com
  33across.com sovrn.com lijit.com media.net contextweb.com pulsepoint.com bidswitch.net improvedigital.com id5-sync.com liadm.com rlcdn.com
  crwdcntrl.net bluekai.com demdex.net everesttech.net 2o7.net omtrdc.net eyeota.net exelator.com agkn.com tapad.com mathtag.com turn.com
  rfihub.com serving-sys.com flashtalking.com innovid.com doubleverify.com adsafeprotected.com moatads.com moatpixel.com scorecardresearch.com
  quantserve.com quantcount.com chartbeat.com chartbeat.net parsely.com comscore.com imrworldwide.com nielsen-online.com ioam.de iocnt.net
  hotjar.com hotjar.io fullstory.com mouseflow.com crazyegg.com luckyorange.com inspectlet.com smartlook.com logrocket.com logrocket.io lr-ingest.io
  contentsquare.net heap.io heapanalytics.com mixpanel.com mxpnl.com amplitude.com segment.io cdn.segment.com api.segment.io rudderlabs.com
  kissmetrics.io kissmetrics.com woopra.com statcounter.com histats.com clicky.com getclicky.com mc.yandex.ru an.yandex.ru yandexadexchange.net
  top-fwz1.mail.ru counter.yadro.ru hm.baidu.com pos.baidu.com cnzz.com umeng.com matomo.cloud plausible.io static.cloudflareinsights.com
  cloudflareinsights.com nr-data.net js-agent.newrelic.com bam.nr-data.net browser-intake-datadoghq.com bugsnag.com rollbar.com trackjs.com
  optimizely.com abtasty.com vwo.com visualwebsiteoptimizer.com kameleoon.eu dynamicyield.com monetate.net branch.io app.link appsflyer.com
  adjust.com kochava.com singular.net onesignal.com pushwoosh.com pushengage.com webpushr.com izooto.com moengage.com clevertap.com braze.com
  popads.net popcash.net propellerads.com onclickads.net adsterra.com exoclick.com juicyads.com trafficjunky.net trafficfactory.biz hilltopads.net
  adcolony.com applovin.com unityads.unity3d.com vungle.com inmobi.com mopub.com chartboost.com supersonicads.com startappservice.com
  adroll.com perfectaudience.com steelhousemedia.com bizographics.com 6sc.co 6sense.com bombora.com demandbase.com leadfeeder.com albacross.com
  hs-analytics.net hs-banner.com hsadspixel.net track.hubspot.com pardot.com pi.pardot.com marketo.net mktoresp.com munchkin.marketo.net eloqua.com
  drift.com driftt.com intercomcdn.com widget.intercom.io js.driftt.com tawk.to embed.tawk.to zopim.com olark.com livechatinc.com crisp.chat
  addthis.com s7.addthis.com sharethis.com addtoany.com viglink.com skimresources.com narrativ.com awin1.com zanox.com
  tradedoubler.com linksynergy.com anrdoezrs.net dpbolvw.net adbutler.com adzerk.net kevel.co carbonads.com carbonads.net buysellads.com ethicalads.io
  wunderloop.net adition.com emetriq.de xplosion.de theadex.com adup-tech.com plista.com ligatus.com stroeerdigitalmedia.de yieldlove.com
  weborama.fr weborama.com adyoulike.com ividence.com ad4m.at nuggad.net adscale.de adspirit.de tealiumiq.com tags.tiqcdn.com ensighten.com
  permutive.com permutive.app piano.io tinypass.com cxense.com sail-horizon.com sailthru.com lytics.io evidon.com betrad.com
  adblockanalytics.com pagefair.com blockadblock.com admiral.mgr.consensu.org btloader.com confiant-integrations.net cleanmediaads.com geoedge.be
`

const hosts: readonly string[] = [...new Set(list.trim().split(/\s+/))]

/** The hosts of the list, without the page's own. */
export function adHosts(pageUrl: string): readonly string[] {
  const own = urlOf(pageUrl)?.hostname ?? ''
  return hosts.filter((host) => own !== host && !own.endsWith(`.${host}`))
}
