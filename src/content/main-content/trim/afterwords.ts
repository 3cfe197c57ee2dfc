/** English, German, French, Spanish, Portuguese, Italian, Polish, Dutch, Russian, Nordic, Turkish, Arabic and East Asian. */
const wordings = [
  /(?:you )?(?:may|might)(?: also)? (?:like|enjoy|be interested in)/,
  /(?:related|recommended|similar|popular|trending|latest|recent|featured|other|more|top|further|suggested|most (?:read|popular|viewed|shared|commented))(?: \S+){0,2} (?:posts?|articles?|stor(?:y|ies)|news|content|topics?|links?|reading|videos?|products?|items?|searches|pages?|blogs?|reads|recipes|resources|questions|headlines|guides|reviews|episodes|collections|categories|tags|properties|homes|listings|jobs|vacancies|events)(?: (?:from|by|in|near|for) .{0,40})?/,
  /related|more (?:from|on|in|about|by|for you|like this|to explore|to read|news|stories)(?: .{0,40})?|(?:what to )?read (?:next|more|also|this next)/,
  /keep reading|continue reading|up next|what['’]s next|don['’]t miss|in case you missed it|also (?:on|in|read|see|like)(?: .{0,30})?|see (?:also|more)/,
  /recommended(?: for you)?(?: reading)?|customers (?:also|who).{0,60}|(?:people|others|users|shoppers) also .{0,40}|recently viewed.{0,20}/,
  /(?:\d+ )?(?:comments?|replies|thoughts on .{0,80})(?: \(\d+\))?|\d+ responses?|responses? \(\d+\)|(?:leave|post|write|add|submit) a (?:reply|comment|review)|(?:cancel )?reply/,
  /join the (?:conversation|discussion).{0,20}|share(?: this)?(?: (?:article|post|story|page|on|via|with).{0,30})?|about the authors?/,
  /(?:written|posted|reviewed) by|author/,
  /(?:subscribe|sign up|join|newsletter|stay (?:connected|informed|updated|in the loop|up to date)|get (?:the latest|our newsletter|updates)|never miss).{0,60}/,
  /follow us.{0,30}|tags?|categories|filed under.{0,40}|archives?|navigation|post navigation|advertisement|sponsored(?: content)?|explore more.{0,30}/,
  /discover more.{0,30}|trending(?: now)?|popular|most read|best sellers/,
  /(?:das )?könnte (?:sie|dich|ihnen) auch.{0,40}|weitere (?:artikel|themen|beiträge|meldungen|nachrichten|news|infos).{0,40}/,
  /mehr (?:zum thema|aus|von|zu|artikel|news|lesen).{0,40}|ähnliche (?:artikel|beiträge|themen).{0,20}|verwandte (?:artikel|themen|beiträge)/,
  /(?:auch|das) (?:interessant|könnte).{0,40}|lesen sie auch.{0,60}|meistgelesen|neueste (?:beiträge|artikel|kommentare)|aktuelle (?:beiträge|artikel)/,
  /kommentare?(?: \(\d+\))?|(?:schreibe|hinterlasse)n? (?:sie )?einen kommentar|(?:eine )?antwort schreiben.{0,20}/,
  /kommentar (?:schreiben|verfassen|hinterlassen)|teilen(?: .{0,20})?|über den autor|schlagwörter|kategorien/,
  /à lire aussi.{0,60}|sur le même (?:sujet|thème)|articles (?:similaires|liés|récents)|commentaires?|laisser un commentaire|partager.{0,30}/,
  /te puede interesar.{0,20}|(?:noticias|artículos) relacionad[oa]s|comentarios?|deja un comentario|compartir.{0,20}|leia também.{0,20}/,
  /ti potrebbe interessare.{0,20}|leggi anche.{0,60}|articoli correlati|commenti/,
  /czytaj (?:także|też|również).{0,60}|zobacz (?:także|też|również).{0,60}|powiązane.{0,30}|komentarze/,
  /lees ook.{0,60}|gerelateerde.{0,30}|reacties/,
  /читайте также.{0,60}|похожие.{0,30}|комментарии/,
  /l(?:æs|es|äs|ue) (?:også|också|även|myös).{0,60}|relatere?de artik(?:lar|ler)/,
  /ilgili (?:haberler|yazılar|konular)|benzer (?:haberler|yazılar)/,
  /اقر[أا](?:وا)? [أا]يض(?:اً?|ًا).{0,60}|شاهد [أا]يض(?:اً?|ًا).{0,60}|(?:أخبار|مقالات|مواضيع|موضوعات) (?:ذات صلة|مشابهة)/,
  /関連(?:記事|ニュース|リンク|情報|トピックス|商品|ページ|キーワード)|あわせて読みたい.{0,10}|おすすめ(?:の?記事)|人気(?:の?記事)|この記事をシェア.{0,4}/,
  /相[关關](?:阅读|閱讀|文章|新闻|新聞|推荐|推薦|链接|連結|报道|報導)|延伸[阅閱][读讀]|推[荐薦][阅閱][读讀]|[热熱][门門](?:文章|新闻|新聞)|猜你喜[欢歡]/,
  /관련 ?(?:기사|뉴스|글)|추천 ?기사|많이 본 (?:뉴스|기사)|댓글/,
]

/** Headings of sections about other pages, readers or the site itself; matched against the whole heading. */
export const afterword = new RegExp(`^(?:${wordings.map(({ source }) => source).join('|')})[\\s:：.!?…»>→]*$`, 'i')
