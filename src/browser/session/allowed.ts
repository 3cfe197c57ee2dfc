/**
 * The commands that a client of a session may send, by domain; all others are refused. Omitted on purpose: commands that
 * name files or ports of this machine (`DOM.getFileInfo`, `Extensions`, `FileSystem`, `PWA`, `Tethering`, `Tracing`,
 * `Page.startScreenRecording`), describe it (`SystemInfo`, `Browser.getBrowserCommandLine`), fetch without the page
 * (`Network.loadNetworkResource`), bypass the filter (`Target.sendMessageToTarget`, `Target.exposeDevToolsProtocol`), lift
 * quotas or break the browser.
 */
const commands: Readonly<Record<string, string>> = {
  Accessibility: 'disable enable getAXNodeAndAncestors getChildAXNodes getFullAXTree getPartialAXTree getRootAXNode queryAXTree',
  Animation: 'disable enable getCurrentTime getPlaybackRate releaseAnimations resolveAnimation seekAnimations setPaused setPlaybackRate setTiming',
  Audits: 'checkFormsIssues disable enable',
  Browser: 'cancelDownload close getVersion getWindowBounds getWindowForTarget grantPermissions resetPermissions setDownloadBehavior setPermission setWindowBounds',
  CSS: 'addRule collectClassNames createStyleSheet disable enable forcePseudoState getBackgroundColors getComputedStyleForNode getInlineStylesForNode getLayersForNode getMatchedStylesForNode getMediaQueries getPlatformFontsForNode getStyleSheetText setEffectivePropertyValueForNode setMediaText setRuleSelector setStyleSheetText setStyleTexts startRuleUsageTracking stopRuleUsageTracking takeCoverageDelta',
  CacheStorage: 'deleteCache deleteEntry requestCacheNames requestCachedResponse requestEntries',
  Console: 'clearMessages disable enable',
  DOM: 'collectClassNamesFromSubtree copyTo describeNode disable discardSearchResults enable focus getAttributes getBoxModel getContainerForNode getContentQuads getDocument getElementByRelation getFlattenedDocument getFrameOwner getNodeForLocation getNodeStackTraces getNodesForSubtreeByStyle getOuterHTML getQueryingDescendantsForContainer getRelayoutBoundary getSearchResults getTopLayerElements hideHighlight highlightNode highlightRect markUndoableState moveTo performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector querySelectorAll redo removeAttribute removeNode requestChildNodes requestNode resolveNode scrollIntoViewIfNeeded setAttributeValue setAttributesAsText setFileInputFiles setInspectedNode setNodeName setNodeStackTracesEnabled setNodeValue setOuterHTML undo',
  DOMDebugger: 'getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeXHRBreakpoint setDOMBreakpoint setEventListenerBreakpoint setXHRBreakpoint',
  DOMSnapshot: 'captureSnapshot disable enable getSnapshot',
  DOMStorage: 'clear disable enable getDOMStorageItems removeDOMStorageItem setDOMStorageItem',
  Debugger: 'continueToLocation disable enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource getStackTrace getWasmBytecode pause removeBreakpoint restartFrame resume searchInContent setAsyncCallStackDepth setBlackboxPatterns setBlackboxedRanges setBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall setBreakpointsActive setInstrumentationBreakpoint setPauseOnExceptions setReturnValue setScriptSource setSkipAllPauses setVariableValue stepInto stepOut stepOver',
  DeviceOrientation: 'clearDeviceOrientationOverride setDeviceOrientationOverride',
  Emulation: 'canEmulate clearDeviceMetricsOverride clearDevicePostureOverride clearGeolocationOverride clearIdleOverride resetPageScaleFactor setAutoDarkModeOverride setAutomationOverride setCPUThrottlingRate setDefaultBackgroundColorOverride setDeviceMetricsOverride setDevicePostureOverride setDisabledImageTypes setDocumentCookieDisabled setEmitTouchEventsForMouse setEmulatedMedia setEmulatedVisionDeficiency setFocusEmulationEnabled setGeolocationOverride setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setNavigatorOverrides setPageScaleFactor setScriptExecutionDisabled setScrollbarsHidden setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride setVisibleSize',
  Fetch: 'continueRequest continueResponse continueWithAuth disable enable failRequest fulfillRequest getResponseBody takeResponseBodyAsStream',
  HeapProfiler: 'collectGarbage disable enable getHeapObjectId getObjectByHeapObjectId getSamplingProfile startSampling stopSampling takeHeapSnapshot',
  IO: 'close read resolveBlob',
  IndexedDB: 'clearObjectStore deleteDatabase deleteObjectStoreEntries disable enable getMetadata requestData requestDatabase requestDatabaseNames',
  Input: 'cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture',
  Inspector: 'disable enable',
  LayerTree: 'compositingReasons disable enable',
  Log: 'clear disable enable startViolationsReport stopViolationsReport',
  Memory: 'getDOMCounters',
  Network: 'canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions clearBrowserCache clearBrowserCookies deleteCookies disable emulateNetworkConditions emulateNetworkConditionsByRule enable enableReportingApi getAllCookies getCertificate getCookies getRequestPostData getResponseBody getSecurityIsolationStatus overrideNetworkState replayXHR searchInResponseBody setAttachDebugStack setBlockedURLs setBypassServiceWorker setCacheDisabled setCookie setCookies setExtraHTTPHeaders setUserAgentOverride streamResourceContent',
  Overlay: 'disable enable hideHighlight highlightFrame highlightNode highlightQuad highlightRect setInspectMode setShowAdHighlights setShowFlexOverlays setShowGridOverlays setShowHitTestBorders setShowLayoutShiftRegions setShowPaintRects setShowViewportSizeOnResize',
  Page: 'addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument bringToFront captureScreenshot captureSnapshot clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride close createIsolatedWorld deleteCookie disable enable getAdScriptAncestry getAppId getAppManifest getFrameTree getInstallabilityErrors getLayoutMetrics getNavigationHistory getOriginTrials getPermissionsPolicyState getResourceContent getResourceTree handleJavaScriptDialog navigate navigateToHistoryEntry printToPDF reload removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument resetNavigationHistory screencastFrameAck searchInResource setAdBlockingEnabled setBypassCSP setDeviceMetricsOverride setDeviceOrientationOverride setDocumentContent setDownloadBehavior setFontFamilies setFontSizes setGeolocationOverride setInterceptFileChooserDialog setLifecycleEventsEnabled setPrerenderingAllowed setTouchEmulationEnabled setWebLifecycleState startScreencast stopLoading stopScreencast waitForDebugger',
  Performance: 'disable enable getMetrics setTimeDomain',
  PerformanceTimeline: 'enable',
  Profiler: 'disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop stopPreciseCoverage takePreciseCoverage',
  Runtime: 'addBinding awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate getExceptionDetails getHeapUsage getIsolateId getProperties globalLexicalScopeNames queryObjects releaseObject releaseObjectGroup removeBinding runIfWaitingForDebugger runScript setAsyncCallStackDepth setCustomObjectFormatterEnabled setMaxCallStackSizeToCapture terminateExecution',
  Schema: 'getDomains',
  Security: 'disable enable setIgnoreCertificateErrors',
  Storage: 'clearCookies clearDataForOrigin clearDataForStorageKey getCookies getStorageKey getStorageKeyForFrame getUsageAndQuota setCookies trackCacheStorageForOrigin trackCacheStorageForStorageKey trackIndexedDBForOrigin trackIndexedDBForStorageKey untrackCacheStorageForOrigin untrackCacheStorageForStorageKey untrackIndexedDBForOrigin untrackIndexedDBForStorageKey',
  Target: 'activateTarget attachToBrowserTarget attachToTarget closeTarget createBrowserContext createTarget detachFromTarget disposeBrowserContext getBrowserContexts getTargetInfo getTargets setAutoAttach setDiscoverTargets',
  WebAuthn: 'addCredential addVirtualAuthenticator clearCredentials disable enable getCredential getCredentials removeCredential removeVirtualAuthenticator setAutomaticPresenceSimulation setCredentialProperties setResponseOverrideBits setUserVerified',
}

/** Domains whose events clients receive, besides those with allowed commands. */
const told: ReadonlySet<string> = new Set([...Object.keys(commands), 'Media', 'Preload', 'ServiceWorker'])

const allowed: ReadonlySet<string> = new Set(Object.entries(commands).flatMap(([domain, names]) => names.split(' ').map((name) => `${domain}.${name}`)))

/** Whether a client of a session may send that command at all. */
export function isAllowed(method: string): boolean {
  return allowed.has(method)
}

/** Whether a client of a session may receive that event. */
export function isTold(method: string): boolean {
  return told.has(method.split('.', 1)[0] ?? '')
}
